import type { RequestListener } from 'node:http';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { guidesPath } from '../console/parts/sitePage.js';
import type { Listener } from '../core/listener.js';
import { createOnRefused } from '../core/orders/receive/refusals.js';
import { askTogether } from '../database/askAllTeams.js';
import { tryStoring } from '../database/tryStoring.js';
import type { Feature } from '../host/host.js';
import { install } from '../host/install.js';
import type { Job, Program } from '../host/program.js';
import type { Server } from '../host/server.js';
import { createServices, type Services } from '../host/services.js';
import type { RecordAnswer } from '../http/exchange.js';
import { type AppEnv, createAnswerPage } from '../http/hono.js';
import { createClientOf, createLimitRate } from '../http/rateLimit.js';
import { createRefuse } from '../http/refuse.js';
import { createWayIn, type Endpoint } from '../http/wayIn.js';
import { createEndpoints } from './endpoints.js';
import { createPages, type PagesDeps } from './pages.js';

/** Dependencies of the app. `listen` wires them. */
export interface AppDeps
  extends Pick<
      Services,
      'pools' | 'queue' | 'secret' | 'clock' | 'sdk' | 'publicUrl' | 'trialAccess' | 'isOwnMachine'
    >,
    Pick<PagesDeps, 'metrics' | 'metricsAccess' | 'trustedProxies' | 'isStopping'> {
  features: readonly Feature[];
  log: Logger;
  recordAnswer: RecordAnswer;
  /** Records a fault of background work. */
  noteFault: Program['noteFault'];
  /** Requests per minute of one client address without a known key, see `createLimitRate`; null for no limit. */
  rateLimitPerMinute: number | null;
}

/** A composed server: its two ways of answering, and its background work. */
export interface App {
  endpoints: readonly Endpoint[];
  /** Answers every path outside the API. */
  pages: Hono<AppEnv>;
  /** Answers every request. */
  answer: RequestListener;
  jobs: readonly { name: string; start: Job }[];
  listeners: readonly Listener[];
  /** Resolves after all background work has ended. Called after the last request and the last job. */
  stop: () => Promise<void>;
}

/** Composes the core and its features. */
export function createApp({ features, log, recordAnswer, noteFault, ...deps }: AppDeps): App {
  const { pools, metrics, publicUrl } = deps;
  const installed = install(features);
  const { distribution, events, watches, names } = installed;
  const jobs: { name: string; start: Job }[] = [];
  const settles: (() => Promise<unknown>)[] = [];
  const program: Program = {
    sql: pools.background,
    askAllTeams:
      distribution?.askAllTeams(pools.background, (error) => noteFault('nodes', error)) ?? askTogether,
    noteFault,
    every: (name, start) => void jobs.push({ name, start }),
    onStop: (settle) => void settles.push(settle),
  };
  const listeners: Listener[] = [];
  const clientOf = createClientOf(deps.trustedProxies);
  const services = createServices(
    {
      ...deps,
      registry: metrics.registry,
      limitRate: createLimitRate(deps.rateLimitPerMinute, clientOf),
    },
    { listeners, program, distribution, events: { onBatch: metrics.batch, onMerged: metrics.merged } },
  );
  metrics.watchQueue(services.load);
  listeners.push(...installed.listenersOf(program));

  const endpoints: Endpoint[] = [...createEndpoints(services)];
  const navLinks: Server['served']['navLinks'][number][] = [];
  const added: PagesDeps['added'][number][] = [];
  const answerBy =
    (method: Endpoint['method']): Server['get'] =>
    (path, handle, operation) =>
      void endpoints.push({ method, path, handle, ...(operation && { operation }) });
  installed.startIn({
    ...services,
    every: program.every,
    onStop: program.onStop,
    get: answerBy('GET'),
    post: answerBy('POST'),
    pages: (path, routes) => void added.push({ path, routes }),
    navLink: (link) => void navLinks.push(link),
    listen: (listener) => void listeners.push(listener),
    served: { endpoints, events, features: names, navLinks },
    watches,
  });

  const parts = installed.consoleParts();
  const guides = guidesPath(navLinks);
  const refuse = createRefuse(log, () => (guides === null ? null : publicUrl() + guides));
  const pages = createPages(services, {
    ...deps,
    refuse,
    parts,
    added,
    navLinks,
    tryStoring: distribution?.tryStoring(pools.watch) ?? tryStoring,
  });
  return {
    endpoints,
    pages,
    answer: createWayIn(endpoints, createAnswerPage(pages), {
      log,
      clientOf,
      recordAnswer(answered) {
        recordAnswer(answered);
        // A refund, an enrollment or a button may have created work for a feature.
        if (answered.method !== 'GET') for (const each of listeners) each.onRequestAnswered?.();
      },
      refuse,
      onRefused: createOnRefused(services.senderCache, listeners),
      isStopping: deps.isStopping,
    }),
    jobs,
    listeners,
    stop: async () => void (await Promise.all(settles.map((settle) => settle()))),
  };
}
