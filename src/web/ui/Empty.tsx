// An empty place: one sentence in title size, one of help, one primary action.
import type { ReactNode } from "react";

export function Empty({ title, help, children }: { title: string; help: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h1 className="display">{title}</h1>
      <p className="lede">{help}</p>
      {children ? (
        <p className="acts" style={{ alignItems: "center" }}>
          {children}
        </p>
      ) : null}
    </div>
  );
}
