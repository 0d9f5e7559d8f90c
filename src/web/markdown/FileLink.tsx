// A link into the vault: to a page that exists, or to one that can be created. Looking at it shows what stands there.
import type { ReactNode } from "react";
import { HoverCard } from "radix-ui";
import { Link } from "wouter";
import { api } from "../lib/api.ts";
import { decoded, pathName, vaultUrl } from "../lib/paths.ts";
import { useResource } from "../lib/resource.ts";
import { useFiles } from "../lib/files.ts";
import { figures } from "../lib/words.ts";
import { plainLinks } from "../../shared/normal.ts";

/** Milliseconds of looking before the page shows itself: passing over a link is not asking. */
const LOOK_MS = 400;

function Preview({ path }: { path: string }) {
  const { data } = useResource(`file:${path}:`, (signal) => api.file(path, {}, signal));
  if (!data) return <p className="meta">{pathName(path)}</p>;
  const open = data.entries.filter((entry) => entry.state === "open" || entry.state === "upcoming");
  const closed = data.entries.filter((entry) => entry.state === "closed").length;
  const title = /^#\s+(.+)$/m.exec(data.text)?.[1] ?? pathName(path);
  const first = open[0] ?? data.entries[0];
  return (
    <>
      <h3 dir="auto">{title}</h3>
      {first ? <p dir="auto">{plainLinks(first.text)}</p> : null}
      <p className="meta">
        {pathName(path)}, {figures(data.entries.length, "line")}
        {closed > 0 ? `, ${closed} closed` : ""}
      </p>
    </>
  );
}

export function FileLink({ target, children }: { target: string; children: ReactNode }) {
  const files = useFiles();
  const [name = "", heading] = target.split("#").map(decoded);
  const path = files ? files.index.resolve(name) : null;
  if (files && path === null) {
    return (
      <Link
        className="broken"
        href={`${vaultUrl(name)}?new=1`}
        aria-label={`${typeof children === "string" ? children : name}, no page yet`}
      >
        {children}
      </Link>
    );
  }
  return (
    <HoverCard.Root openDelay={LOOK_MS} closeDelay={100}>
      <HoverCard.Trigger asChild>
        <Link href={vaultUrl(path ?? name, heading ?? null)}>{children}</Link>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content className="card-link" sideOffset={6} collisionPadding={16}>
          <Preview path={path ?? `${name}.md`} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}
