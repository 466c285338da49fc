/**
 * Every setting of a service, declared once: its key in svc.config.{yaml,json}, its variable, what it may hold and what
 * it is for. The value comes from the flag, else the variable, else the file, else the default.
 */
import { oidcSettings } from './oidc.ts'
import { mailSettings } from './mail.ts'
import { hostingSettings } from './repositories.ts'
import { storageSettings } from './storage.ts'
import type { LogLevel } from './log-level.ts'
import type { PrepareMode } from '../../db/pooler.ts'

interface SettingBase {
  readonly env: string
  readonly summary: string
  /** Never shown: wholly, or the password of an address. It may be in a file, which NAME_FILE names (secret-files.ts). */
  readonly secret?: 'all' | 'password'
  /** From when on a replaced file of the secret holds; at once when absent. */
  readonly replacedFrom?: string
}

export interface TextSetting extends SettingBase {
  /** `list` is written with commas in a variable and as a list in the file; its value is the text with commas. */
  readonly type: 'text' | 'path' | 'list'
  readonly default: string | null
  /** Characters it has at least. */
  readonly minLength?: number
}
export interface ChoiceSetting extends SettingBase {
  readonly type: 'choice'
  readonly choices: readonly string[]
  readonly default: string
}
/** `quota` also takes "unlimited", whose value is null; without a default nothing is overridden. */
export interface NumberSetting extends SettingBase {
  readonly type: 'integer' | 'quota'
  readonly min: number
  readonly max: number
  readonly default: number | null
}
/** Written 500ms, 30s, 5m or a number of seconds; its value is in milliseconds. */
export interface DurationSetting extends SettingBase {
  readonly type: 'duration'
  readonly default: number
}
export interface SwitchSetting extends SettingBase {
  readonly type: 'switch'
  readonly default: boolean
}
export type Setting = TextSetting | ChoiceSetting | NumberSetting | DurationSetting | SwitchSetting

const largest = Number.MAX_SAFE_INTEGER

const quota = (env: string, what: string) =>
  ({
    type: 'quota',
    env,
    min: 0,
    max: largest,
    default: null,
    summary: `${what} of the free plan, or "unlimited"; default: the number of the plan`,
  }) as const

export const settings = {
  host: {
    type: 'text',
    env: 'SVC_HOST',
    default: '127.0.0.1',
    summary: 'address to listen on; 0.0.0.0 opens the service to the network',
  },
  port: {
    type: 'integer',
    env: 'SVC_PORT',
    min: 0,
    max: 65_535,
    default: 8080,
    summary: 'port to listen on; 0 takes a free one',
  },
  publicUrl: {
    type: 'text',
    env: 'SVC_PUBLIC_URL',
    default: null,
    summary: 'public address of the service, for links and as token issuer; default: the address it listens on',
  },
  roles: {
    type: 'list',
    env: 'SVC_ROLES',
    default: 'web,worker,gateway',
    summary:
      'what this process does, separated by commas: web answers people, programs and agents; worker does what waits (imports, webhooks, polling); gateway answers gateways alone, where web is left out',
  },
  publicUrlAliases: {
    type: 'list',
    env: 'SVC_PUBLIC_URL_ALIASES',
    default: '',
    summary: 'former public addresses, separated by commas: references to types at them are found as well',
  },
  workspace: {
    type: 'path',
    env: 'SVC_WORKSPACE',
    default: null,
    summary: "folder of the local workspace; default: the nearest .svc folder, otherwise the user's data folder",
  },
  databaseUrl: {
    type: 'text',
    env: 'SVC_DATABASE_URL',
    default: null,
    secret: 'password',
    replacedFrom: 'for new connections, and its password alone',
    summary: 'postgres://user:password@host/database; default: the SQLite file of the workspace',
  },
  'database.prepare': {
    type: 'choice',
    env: 'SVC_DATABASE_PREPARE',
    choices: ['auto', 'true', 'false'] satisfies PrepareMode[],
    default: 'auto',
    summary:
      'whether statements of Postgres are prepared under names; auto: unless a connection pooler answers, which may give each transaction another session',
  },
  'database.poolSize': {
    type: 'integer',
    env: 'SVC_DATABASE_POOL_SIZE',
    min: 2,
    max: 1000,
    default: 10,
    summary: 'connections to Postgres that one process of the service may have',
  },
  'database.connectTimeout': {
    type: 'duration',
    env: 'SVC_DATABASE_CONNECT_TIMEOUT',
    default: 10_000,
    summary: 'longest wait for a connection to Postgres',
  },
  logLevel: {
    type: 'choice',
    env: 'SVC_LOG_LEVEL',
    choices: ['debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[],
    default: 'info',
    summary: 'minimum log level',
  },
  metricsToken: {
    type: 'text',
    env: 'SVC_METRICS_TOKEN',
    default: null,
    secret: 'all',
    minLength: 16,
    summary: 'token that /metrics requires as "Authorization: Bearer TOKEN"; default: only this machine may read it',
  },
  egressAllow: {
    type: 'list',
    env: 'SVC_EGRESS_ALLOW',
    default: '',
    summary: 'private networks (CIDR) that imports, webhooks and sign-in may reach',
  },
  webhookSchedule: {
    type: 'list',
    env: 'SVC_WEBHOOK_SCHEDULE',
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    summary: 'pause before each attempt of a webhook delivery, at most 50; after the last one it is a dead letter',
  },
  ...hostingSettings,
  egressCa: {
    type: 'list',
    env: 'SVC_EGRESS_CA',
    default: '',
    summary:
      'PEM files, separated by commas, of certificate authorities that imports, webhooks and sign-in trust in addition to the known ones',
  },
  secretKey: {
    type: 'list',
    env: 'SVC_SECRET_KEY',
    default: null,
    secret: 'all',
    minLength: 43,
    summary:
      'keys that encrypt stored secrets, such as signing secrets: base64 of 32 random bytes, separated by commas; the first encrypts, all decrypt; in its file also one in each line; default: secret.key beside the SQLite database, none on Postgres',
  },
  ...mailSettings,
  ...storageSettings,
  'compat.diffTool': {
    type: 'text',
    env: 'SVC_DIFF_TOOL',
    default: null,
    summary:
      'second tool that compares versions, as evidence: the path of oasdiff, or a command with {base} and {head} that writes its findings as JSON',
  },
  'compat.issueUrl': {
    type: 'text',
    env: 'SVC_BREAKING_ISSUE_URL',
    default: null,
    summary:
      'address of the page for documenting a breaking change; {project}, {base}, {head} and {fingerprint} are replaced',
  },
  trustedProxies: {
    type: 'list',
    env: 'SVC_TRUSTED_PROXIES',
    default: '',
    summary: 'networks (CIDR) of the proxies in front of the service, whose X-Forwarded-For is trusted',
  },
  ...oidcSettings,
  'jwt.issuers': {
    type: 'list',
    env: 'SVC_JWT_ISSUERS',
    default: '',
    summary:
      'trusted token issuers, separated by commas; add the JWKS address after a space for an issuer without discovery',
  },
  'jwt.audience': {
    type: 'text',
    env: 'SVC_JWT_AUDIENCE',
    default: 'svc',
    summary: 'audience that access tokens of trusted issuers must have',
  },
  'analysis.processes': {
    type: 'integer',
    env: 'SVC_ANALYSIS_PROCESSES',
    min: 0,
    max: 64,
    default: 2,
    summary:
      'analysis processes for large documents and for custom rules; 0 analyses in the service itself, without limits',
  },
  'analysis.deadline': {
    type: 'duration',
    env: 'SVC_ANALYSIS_DEADLINE',
    default: 30_000,
    summary: 'analysis timeout: the longest time that linting or comparing a document may take',
  },
  'analysis.memoryMb': {
    type: 'integer',
    env: 'SVC_ANALYSIS_MEMORY_MB',
    min: 128,
    max: 1_048_576,
    default: 1024,
    summary: 'memory limit of one analysis, in MB',
  },
  drainTimeout: {
    type: 'duration',
    env: 'SVC_DRAIN_TIMEOUT',
    default: 25_000,
    summary: 'longest wait for running requests and jobs when the service stops',
  },
  playground: {
    type: 'switch',
    env: 'SVC_PLAYGROUND',
    default: true,
    summary: 'serve the playground under /play',
  },
  'mcp.enabled': {
    type: 'switch',
    env: 'SVC_MCP_ENABLED',
    default: true,
    summary: 'serve agents over HTTP (Model Context Protocol)',
  },
  'mcp.host': {
    type: 'text',
    env: 'SVC_MCP_HTTP_HOST',
    default: '127.0.0.1',
    summary: 'address that the port for agents listens on',
  },
  'mcp.port': {
    type: 'integer',
    env: 'SVC_MCP_HTTP_PORT',
    min: 0,
    max: 65_535,
    default: 8765,
    summary: 'port for agents; 0 takes a free one',
  },
  'mcp.allowedHosts': {
    type: 'list',
    env: 'SVC_MCP_ALLOWED_HOSTS',
    default: '',
    summary: 'host names, in addition to loopback, under which agents may reach the service',
  },
  'mcp.toolNames': {
    type: 'choice',
    env: 'SVC_MCP_TOOL_NAMES',
    choices: ['dots', 'underscore'],
    default: 'dots',
    summary: 'spelling of the listed tool names; both spellings are accepted in calls',
  },
  'mcp.internalSecret': {
    type: 'text',
    env: 'SVC_MCP_INTERNAL_SECRET',
    default: null,
    secret: 'all',
    replacedFrom: 'after a restart',
    minLength: 16,
    summary:
      'secret that signs the cursors of agents, at least 16 characters, the same for all replicas; default: a random one for each process',
  },
  'embeddings.url': {
    type: 'text',
    env: 'SVC_EMBEDDINGS_URL',
    default: null,
    summary: 'address of an embedding provider, such as https://host/v1; semantic search needs it and its key',
  },
  'embeddings.key': {
    type: 'text',
    env: 'SVC_EMBEDDINGS_KEY',
    default: null,
    secret: 'all',
    summary: 'key of the embedding provider',
  },
  'embeddings.model': {
    type: 'text',
    env: 'SVC_EMBEDDINGS_MODEL',
    default: 'text-embedding-3-small',
    summary: 'embedding model; changing it embeds all operations again',
  },
  'otel.endpoint': {
    type: 'text',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    summary: 'OTLP/HTTP endpoint for traces; without it no traces are sent',
  },
  'otel.headers': {
    type: 'text',
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: null,
    secret: 'all',
    replacedFrom: 'after a restart',
    summary: 'headers that are sent with the traces, as name=value,name=value',
  },
  'otel.serviceName': {
    type: 'text',
    env: 'OTEL_SERVICE_NAME',
    default: 'svc',
    summary: 'name of this service in the traces',
  },
  'free.seats': quota('SVC_FREE_SEATS', 'seats'),
  'free.tenants': quota('SVC_FREE_TENANTS', 'organizations that a user can own'),
  'free.projects': quota('SVC_FREE_PROJECTS', 'projects'),
  'free.versions': quota('SVC_FREE_VERSIONS', 'versions'),
  'free.storage_bytes': quota('SVC_FREE_STORAGE_BYTES', 'stored bytes'),
  'free.repositories': quota('SVC_FREE_REPOSITORIES', 'connected repositories'),
  'free.webhooks': quota('SVC_FREE_WEBHOOKS', 'webhook subscriptions'),
  'free.api_keys': quota('SVC_FREE_API_KEYS', 'API keys'),
  'free.mcp_keys': quota('SVC_FREE_MCP_KEYS', 'MCP keys'),
  'free.polls_per_hour': quota('SVC_FREE_POLLS_PER_HOUR', 'repository polls per hour'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingKey = keyof typeof settings

type ValueOf<S> = S extends { readonly type: 'choice'; readonly choices: readonly (infer C)[] }
  ? C
  : S extends { readonly type: 'switch' }
    ? boolean
    : S extends { readonly type: 'quota' }
      ? number | null | undefined
      : S extends { readonly type: 'integer' | 'duration' }
        ? number
        : S extends { readonly default: null }
          ? string | null
          : string

export type SettingValues = { readonly [K in SettingKey]: ValueOf<(typeof settings)[K]> }
