// Markdown as the app shows it: no raw HTML, links that cannot look back, wikilinks into the vault, images only when asked for.
import { memo, useState, type ReactNode } from "react";
import ReactMarkdown, { defaultUrlTransform, type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { FileLink } from "./FileLink.tsx";
import { inlineOnly, noHtml } from "./inline-only.ts";
import { redactions } from "./redactions.ts";
import { wikilinks } from "./wikilinks.ts";

// The sanitiser keeps the scheme of wikilinks; it never reaches an address bar (FileLink makes a page of it).
const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto", "vault"], src: ["http", "https"] },
};

function url(value: string): string {
  return value.startsWith("vault:") ? value : defaultUrlTransform(value);
}

/** A picture from elsewhere would carry words out in its address: it is fetched only by a click. */
function Picture({ src, alt }: { src: string; alt: string }) {
  const [shown, show] = useState(false);
  let host = "";
  try {
    host = new URL(src, location.href).host;
  } catch {
    return <span className="img">{alt || "a picture without an address"}</span>;
  }
  if (shown) return <img src={src} alt={alt} referrerPolicy="no-referrer" style={{ maxWidth: "100%" }} />;
  return (
    <button type="button" className="img" onClick={() => show(true)} title={src}>
      {alt ? `${alt}, ` : ""}a picture from {host}: load it
    </button>
  );
}

const COMPONENTS: Components = {
  a({ href, children }) {
    if (href?.startsWith("vault:")) return <FileLink target={href.slice(6)}>{children}</FileLink>;
    if (!href) return <span>{children}</span>;
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  },
  img({ src, alt }) {
    return typeof src === "string" ? <Picture src={src} alt={alt ?? ""} /> : null;
  },
  input(props) {
    return (
      <input
        type="checkbox"
        checked={props.checked === true}
        readOnly
        disabled
        aria-label={props.checked ? "done" : "not done"}
      />
    );
  },
};

/** Boxes that can be pressed: whoever shows the text hears the click and changes it. */
const TASKS: Components = {
  ...COMPONENTS,
  input: (props) => (
    <input
      type="checkbox"
      checked={props.checked === true}
      onChange={() => {}}
      aria-label={props.checked ? "done" : "not done"}
    />
  ),
};

const INLINE: Components = { ...COMPONENTS, p: ({ children }) => <>{children}</> };

/** A line of memory: inline marks only. */
export const Line = memo(function Line({ text }: { text: string }): ReactNode {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm, inlineOnly, wikilinks]}
      rehypePlugins={[[rehypeSanitize, SCHEMA], redactions]}
      urlTransform={url}
      components={INLINE}
    >
      {text}
    </ReactMarkdown>
  );
});

/** Prose: an answer, a note, the words between the lines of a file. */
export const Prose = memo(function Prose({ text, tasks = false }: { text: string; tasks?: boolean }): ReactNode {
  return (
    <div className="prose" dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, noHtml, wikilinks]}
        rehypePlugins={[[rehypeSanitize, SCHEMA], redactions]}
        urlTransform={url}
        components={tasks ? TASKS : COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});
