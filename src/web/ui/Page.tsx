// The page: its running head (where you are, what can be done) and what stands below. Sets the window's title.
import { createContext, use, useEffect, type ReactNode } from "react";
import { AlignLeft } from "lucide-react";
import { useOfflineSince, reconnect } from "../lib/live.ts";
import { Icon } from "./Icon.tsx";

/** The drawer that holds a place's list on narrow windows. */
export const Drawer = createContext<{
  open: boolean;
  set: (open: boolean) => void;
  label: string;
  name: (label: string) => void;
}>({
  open: false,
  set: () => {},
  label: "",
  name: () => {},
});

function Offline() {
  const since = useOfflineSince();
  if (since === null) return null;
  const at = new Date(since);
  const clock = `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  return (
    <div className="banner" role="status">
      <span>You are offline since {clock}. What you write is kept here, and can be sent when the line is back.</span>
      <button type="button" className="act" onClick={reconnect}>
        Try now
      </button>
    </div>
  );
}

export function Page({
  title,
  where,
  actions,
  children,
}: {
  title: string;
  where: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const drawer = use(Drawer);
  useEffect(() => {
    document.title = title === "" ? "Reverie" : `${title} · Reverie`;
  }, [title]);
  return (
    <main className="page" id="page" tabIndex={-1}>
      <Offline />
      <div className="running">
        {drawer.label ? (
          <button
            type="button"
            className="icon drawer"
            aria-label={drawer.label}
            aria-expanded={drawer.open}
            onClick={() => drawer.set(true)}
          >
            <Icon of={AlignLeft} />
          </button>
        ) : null}
        {where}
        {actions}
      </div>
      {children}
    </main>
  );
}
