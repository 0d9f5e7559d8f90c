// The routes. Each screen is loaded when it is first opened; chat, where most visits begin, comes with the app.
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { ChatScreen } from "../chat/ChatScreen.tsx";
import { vaultPath } from "../lib/paths.ts";
import { signedOut } from "../lib/session.ts";
import { useStore } from "../lib/store.ts";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { NotFound } from "./NotFound.tsx";
import { Shell } from "./Shell.tsx";

const VaultScreen = lazy(() => import("../vault/VaultScreen.tsx").then((module) => ({ default: module.VaultScreen })));
const GraphScreen = lazy(() => import("../graph/GraphScreen.tsx").then((module) => ({ default: module.GraphScreen })));
const HistoryScreen = lazy(() => import("../history/HistoryScreen.tsx").then((module) => ({ default: module.HistoryScreen })));
const DreamsScreen = lazy(() => import("../dreams/DreamsScreen.tsx").then((module) => ({ default: module.DreamsScreen })));
const NotesScreen = lazy(() => import("../notes/NotesScreen.tsx").then((module) => ({ default: module.NotesScreen })));
const ForgottenScreen = lazy(() =>
  import("../forgotten/ForgottenScreen.tsx").then((module) => ({ default: module.ForgottenScreen })),
);
const AboutScreen = lazy(() => import("../about/AboutScreen.tsx").then((module) => ({ default: module.AboutScreen })));
const CostsScreen = lazy(() => import("../costs/CostsScreen.tsx").then((module) => ({ default: module.CostsScreen })));
const ImportScreen = lazy(() => import("../import/ImportScreen.tsx").then((module) => ({ default: module.ImportScreen })));
const SettingsScreen = lazy(() =>
  import("../settings/SettingsScreen.tsx").then((module) => ({ default: module.SettingsScreen })),
);

const SignInScreen = lazy(() => import("../sign-in/SignInScreen.tsx").then((module) => ({ default: module.SignInScreen })));

function Opening() {
  return (
    <Page title="" where={<p className="where" />}>
      <div className="leaf">
        <Loading />
      </div>
    </Page>
  );
}

export function App() {
  const [path] = useLocation();
  const unknown = useStore(signedOut);
  if (unknown || path === "/sign-in") {
    return (
      <Suspense fallback={null}>
        <SignInScreen />
      </Suspense>
    );
  }
  return (
    <Shell>
      <ErrorBoundary place={path}>
        <Suspense fallback={<Opening />}>
          <Switch>
            <Route path="/">
              <ChatScreen thread={null} />
            </Route>
            <Route path="/t/:thread">
              {({ thread }) => (/^[a-z0-9]{4,12}$/.test(thread) ? <ChatScreen thread={thread} /> : <NotFound />)}
            </Route>
            <Route path="/vault/*?">{() => <VaultScreen path={vaultPath(window.location.pathname)} />}</Route>
            <Route path="/graph" component={GraphScreen} />
            <Route path="/history/:commit?">{({ commit }) => <HistoryScreen commit={commit ?? null} />}</Route>
            <Route path="/dreams/:id?">{({ id }) => <DreamsScreen id={id ?? null} />}</Route>
            <Route path="/notes/:id?">{({ id }) => <NotesScreen id={id ?? null} />}</Route>
            <Route path="/forgotten" component={ForgottenScreen} />
            <Route path="/about" component={AboutScreen} />
            <Route path="/costs" component={CostsScreen} />
            <Route path="/import" component={ImportScreen} />
            <Route path="/settings/:tab">{({ tab }) => <SettingsScreen tab={tab} />}</Route>
            <Route path="/settings">
              <Redirect to="/settings/memory" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
