// An address that leads nowhere.
import { Link } from "wouter";
import { Empty } from "../ui/Empty.tsx";
import { Page } from "../ui/Page.tsx";

export function NotFound() {
  return (
    <Page title="Not here" where={<p className="where">Reverie</p>}>
      <div className="leaf">
        <Empty title="There is no page here." help="The address may be old, or what stood here was moved or forgotten.">
          <Link className="btn primary" href="/">
            Go to the conversation
          </Link>
          <Link className="act" href="/vault">
            Open the vault
          </Link>
        </Empty>
      </div>
    </Page>
  );
}
