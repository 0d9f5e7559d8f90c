// Backlinks with their line, in both directions; what has no page yet offers to get one.
import { Link } from "wouter";
import type { FileContent } from "../../shared/protocol.ts";
import { splitText } from "../../shared/entry.ts";
import { findLinks } from "../../shared/links.ts";
import { useFiles, type Files } from "../lib/files.ts";
import { leafName, pathName, vaultUrl } from "../lib/paths.ts";
import { labelOf } from "../markdown/wikilinks.ts";

/** A citing line as words; the link that leads here is the term that is looked for. */
function Cited({ text, path, files }: { text: string; path: string; files: Files | undefined }) {
  const line = splitText(text.replace(/^\s*[-*+]\s+/, "")).text;
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const link of findLinks(line)) {
    parts.push(line.slice(at, link.from));
    const label = labelOf(link);
    parts.push(files?.index.resolve(link.path) === path ? <b key={link.from}>{label}</b> : label);
    at = link.to;
  }
  parts.push(line.slice(at));
  return <>{parts}</>;
}

export function Citations({ file, readOnly }: { file: FileContent; readOnly: boolean }) {
  const files = useFiles();
  const seen = new Set<string>();
  const links = file.links.filter((link) => {
    const key = link.path ?? link.link;
    if (seen.has(key) || link.path === file.path) return false;
    seen.add(key);
    return true;
  });
  if (file.backlinks.length === 0 && links.length === 0) return null;
  return (
    <div className="wide cols" style={{ marginTop: 24 }}>
      {file.backlinks.length > 0 ? (
        <section>
          <h2 className="section">Mentioned in</h2>
          <ul className="cites">
            {file.backlinks.map((link) => (
              <li key={`${link.path}:${link.line}`}>
                <p className="q" dir="auto">
                  <Cited text={link.text} path={file.path} files={files} />
                </p>
                <p className="meta">
                  <Link href={vaultUrl(link.path)}>{pathName(link.path)}</Link>
                </p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {links.length > 0 ? (
        <section>
          <h2 className="section">Mentions</h2>
          <ul className="cites">
            {links.map((link) => (
              <li key={`${link.link}:${link.line}`}>
                <p className="q" dir="auto">
                  {link.label || leafName(link.link)}
                </p>
                <p className="meta">
                  {link.path ? (
                    <Link href={vaultUrl(link.path)}>{pathName(link.path)}</Link>
                  ) : (
                    <>
                      no page yet
                      {readOnly ? null : (
                        <>
                          {" "}
                          ·{" "}
                          <Link className="u" href={`${vaultUrl(link.link)}?new=1`}>
                            create it
                          </Link>
                        </>
                      )}
                    </>
                  )}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
