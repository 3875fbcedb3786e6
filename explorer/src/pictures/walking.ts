// Marks of a picture that are reached with the arrow keys.

/** Makes one of the marks, in rows, a stop of the Tab key; the arrow keys go on from there, and Enter
 * presses. */
export function letWalk(drawing: SVGElement, marks: (SVGElement | null)[][]): void {
  let current = marks.flat().find((mark) => mark !== null) ?? null;
  const place = (mark: Element): [number, number] => {
    const row = marks.findIndex((one) => one.includes(mark as SVGElement));
    return [row, marks[row].indexOf(mark as SVGElement)];
  };
  for (const mark of marks.flat()) mark?.setAttribute("tabindex", mark === current ? "0" : "-1");
  drawing.addEventListener("focusin", ({ target }) => {
    const mark = (target as Element).closest<SVGElement>("[tabindex]");
    if (!mark) return;
    current?.setAttribute("tabindex", "-1");
    mark.setAttribute("tabindex", "0");
    current = mark;
  });
  drawing.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      (target as Element).dispatchEvent(new MouseEvent("click"));
      return;
    }
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
      key
    ];
    if (!move) return;
    event.preventDefault();
    const [row, column] = place(target as Element);
    marks[row + move[0]]?.[column + move[1]]?.focus();
  });
}
