// Dates as people say them.

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A year, month or day, as in "3 April 1993", from its name, as in "1993-04-03". */
export function spoken(period: string): string {
  const [year, month, day] = period.split("-");
  const name = MONTHS[Number(month) - 1];
  return [day && String(Number(day)), name, year].filter(Boolean).join(" ");
}

/** The same with the preposition that stands before it: "in 1993", "on 3 April 1993". */
export function during(period: string): string {
  return `${period.length > 7 ? "on" : "in"} ${spoken(period)}`;
}
