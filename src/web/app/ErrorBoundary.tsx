// Keeps one broken screen from taking the others along.
import { Component, type ReactNode } from "react";
import { Trouble } from "../lib/api.ts";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";

export class ErrorBoundary extends Component<{ children: ReactNode; place: string }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: { place: string }) {
    if (before.place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    const lost = this.state.error instanceof Error && /import|module|fetch/i.test(this.state.error.message);
    return (
      <Page title="A page that broke" where={<p className="where">Reverie</p>}>
        <div className="leaf">
          <Problem
            what={lost ? "This page could not be loaded." : "This page could not be shown."}
            trouble={
              new Trouble(
                "broken",
                lost
                  ? "The server did not send all of it. Nothing was changed."
                  : "It stumbled over its own data. What is saved is not touched by that.",
              )
            }
            retry={() => (lost ? location.reload() : this.setState({ error: null }))}
          />
        </div>
      </Page>
    );
  }
}
