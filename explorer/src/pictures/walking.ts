// Marks of a picture that are reached with the arrow keys.

/** Makes one of the marks, which are below each other, a stop of the Tab key; the arrow keys go on from
 * there, and Enter presses. */
export function letWalk(drawing: SVGElement, marks: readonly SVGElement[]): void {
  let [current] = marks;
  for (const mark of marks) mark.setAttribute("tabindex", mark === current ? "0" : "-1");
  drawing.addEventListener("focusin", ({ target }) => {
    const mark = (target as Element).closest<SVGElement>("[tabindex]");
    if (!mark) return;
    current.setAttribute("tabindex", "-1");
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
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: 0, ArrowRight: 0 }[key];
    if (step === undefined) return;
    event.preventDefault();
    marks[marks.indexOf(target as SVGElement) + step]?.focus();
  });
}
