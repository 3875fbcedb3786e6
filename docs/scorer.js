// How the search ranks pages: where two match as well, a guide comes first and a page for developers last.
var Scorer = {
  score: ([page, , , , score]) =>
    score + (/^(how-to|tutorial)\//.test(page) ? 3 : page.startsWith("development/") ? -6 : 0),
  // Sphinx's own numbers.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
