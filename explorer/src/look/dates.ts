// Dates and periods: decades, years, quarters, months, weeks and days, by the names that Python
// gives them, and as people say them.

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(2000, month).toLocaleString("en", { month: "long" }),
);
const DAY = 86_400_000; // milliseconds

/** The first and last year of dates; others, such as 9999, are no dates in Python either. */
export const [FIRST, LAST] = ["1500", "2099"];

/** The first `digits` characters of a date, its year, month or day; "" if it does not give that. */
export function period(date: string, digits: number): string {
  const known = /^\d{4}(-\d\d(-\d\d)?)?/.exec(date)?.[0] ?? "";
  const year = known.slice(0, 4);
  return known.length >= digits && year >= FIRST && year <= LAST ? known.slice(0, digits) : "";
}

/** The name of the period of a unit that a date is in; "" if the date does not give it. */
export function periodOf(date: string, unit: string): string {
  if (unit === "decade") return period(date, 4) && `${date.slice(0, 3)}0s`;
  if (unit === "quarter") {
    return period(date, 7) && `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
  }
  if (unit === "week") return period(date, 10) && weekOf(Date.parse(date.slice(0, 10)));
  return period(date, unit === "year" ? 4 : unit === "month" ? 7 : 10);
}

/** The week of a day, as in ISO 8601: its year is that of its Thursday. */
function weekOf(day: number): string {
  const thursday = day + DAY * (3 - ((new Date(day).getUTCDay() + 6) % 7));
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** The dates with which a period begins and ends, as in "2019-01" and "2019-03" for "2019-Q1"; a
 * year, a month, a day and any other text twice. */
export function boundsOf(name: string): [from: string, to: string] {
  const [, decade] = /^(\d{3})0['\u2019]?s$/i.exec(name) ?? [];
  if (decade) return [`${decade}0`, `${decade}9`];
  const [, year, quarter] = /^(\d{4})-?q([1-4])$/i.exec(name) ?? [];
  if (year) {
    const months = [3 * Number(quarter) - 2, 3 * Number(quarter)];
    const [from, to] = months.map((month) => `${year}-${String(month).padStart(2, "0")}`);
    return [from, to];
  }
  const [, yearOfWeek, week] = /^(\d{4})-?w(\d\d)$/i.exec(name) ?? [];
  if (yearOfWeek) {
    const fourth = Date.UTC(Number(yearOfWeek), 0, 4); // is in the first week
    const monday = fourth - DAY * ((new Date(fourth).getUTCDay() + 6) % 7);
    const days = [7 * Number(week) - 7, 7 * Number(week) - 1];
    const [from, to] = days.map((day) => new Date(monday + DAY * day).toISOString().slice(0, 10));
    if (weekOf(Date.parse(from)) === `${yearOfWeek}-W${week}`) return [from, to];
  }
  return [name, name];
}

/** What an axis calls a period: a week is called by its first day. */
export function onAxis(name: string): string {
  return name.includes("W") ? boundsOf(name)[0] : name;
}

/** A period or a range in words: "3 April 1993", "Q2 1987", "1993–1996", "March–June 1987",
 * "26 February – 3 March 1987"; a week by its days. What is the same in both is said once. */
export function spoken(name: string, last = name): string {
  const [from, to] = ends(name, last).map((each) => partsOf(each));
  const differs = from.findLastIndex((part, k) => part !== to[k]);
  const begin = from.slice(0, differs + 1).join(" ");
  const dash = begin.includes(" ") ? " – " : "–";
  return (begin && begin + dash) + to.join(" ");
}

/** A period or a range in words, with its preposition: "in 1993", "on 3 April 1993", "in the
 * 1990s". */
export function during(name: string, last = name): string {
  const [from] = ends(name, last);
  const preposition = from.length > 7 ? "on" : from.endsWith("s") ? "in the" : "in";
  return `${preposition} ${spoken(name, last)}`;
}

/** The names of the first and the last period of a range; of weeks, the first and the last day. */
function ends(name: string, last: string): [string, string] {
  return name.includes("W") ? [boundsOf(name)[0], boundsOf(last)[1]] : [name, last];
}

/** What a period is called, in words: day, month or quarter, and year. */
function partsOf(name: string): string[] {
  const [year, month, day] = name.split("-");
  const named = month?.startsWith("Q") ? month : MONTHS[Number(month) - 1];
  return [day && String(Number(day)), named, year].filter(Boolean) as string[];
}
