// Dates as people say them.

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(2000, month).toLocaleString("en", { month: "long" }),
);

/** The first and last year of dates; others, such as 9999, are no dates in Python either. */
export const [FIRST, LAST] = ["1500", "2099"];

/** The first `digits` characters of a date, its year, month or day; "" if it does not give that. */
export function period(date: string, digits: number): string {
  const known = /^\d{4}(-\d\d(-\d\d)?)?/.exec(date)?.[0] ?? "";
  const year = known.slice(0, 4);
  return known.length >= digits && year >= FIRST && year <= LAST ? known.slice(0, digits) : "";
}

/** A year, month or day, as in "3 April 1993", from its name, as in "1993-04-03". */
export function spoken(period: string): string {
  const [year, month, day] = period.split("-");
  const name = MONTHS[Number(month) - 1];
  return [day && String(Number(day)), name, year].filter(Boolean).join(" ");
}

/** A period or a range in words, with its preposition: "in 1993", "on 3 April 1993", "in
 * 1993–1996", "in March–June 1987", "on 26 February – 3 March 1987". */
export function during(period: string, last = period): string {
  const [from, to] = [period, last].map((each) => spoken(each).split(" "));
  const differs = from.findLastIndex((part, k) => part !== to[k]); // the rest is said once
  const begin = from.slice(0, differs + 1).join(" ");
  const dash = begin.includes(" ") ? " – " : "–";
  return `${period.length > 7 ? "on" : "in"} ${begin && begin + dash}${to.join(" ")}`;
}
