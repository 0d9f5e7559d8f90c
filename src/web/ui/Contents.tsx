// A place's own list, beside the page; on narrow windows a drawer that opens over it.
import { use, useEffect, useRef, type ReactNode } from "react";
import { Drawer } from "./Page.tsx";

export function Contents({
  label,
  title,
  tools,
  children,
}: {
  label: string;
  title: string;
  tools?: ReactNode;
  children: ReactNode;
}) {
  const drawer = use(Drawer);
  const box = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const { name, open, set } = drawer;
  useEffect(() => {
    name(label);
    return () => name("");
  }, [label, name]);
  useEffect(() => {
    if (!open) return;
    before.current = document.activeElement as HTMLElement | null;
    box.current?.focus();
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") set(false);
    };
    window.addEventListener("keydown", close);
    return () => {
      window.removeEventListener("keydown", close);
      before.current?.focus();
    };
  }, [open, set]);
  return (
    <>
      <section ref={box} className={open ? "contents open" : "contents"} aria-label={label} tabIndex={-1}>
        <div className="contents-head">
          <h2>{title}</h2>
          {tools}
        </div>
        {children}
      </section>
      <div className="scrim" onClick={() => set(false)} aria-hidden="true" />
    </>
  );
}
