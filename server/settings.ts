/**
 * Every setting of a service, declared once: its key in svc.config.{yaml,json}, its variable, what it may hold and what
 * it is for. The value comes from the flag, else the variable, else the file, else the default.
 */
import type { LogLevel } from './operations/log.ts'

interface SettingBase {
  readonly env: string
  readonly summary: string
  /** Never shown: wholly, or the password of an address. */
  readonly secret?: 'all' | 'password'
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
    summary: `${what} of the free plan, or "unlimited"; the plan's own number where it is absent`,
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
    summary: 'address under which others reach the service, for links and issuer; what it listens on when absent',
  },
  workspace: {
    type: 'path',
    env: 'SVC_WORKSPACE',
    default: null,
    summary: "folder of the local workspace; the nearest .svc, else the user's data folder, when absent",
  },
  databaseUrl: {
    type: 'text',
    env: 'SVC_DATABASE_URL',
    default: null,
    secret: 'password',
    summary: 'postgres://user:password@host/database; the SQLite file of the workspace when absent',
  },
  logLevel: {
    type: 'choice',
    env: 'SVC_LOG_LEVEL',
    choices: ['debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[],
    default: 'info',
    summary: 'least serious lines that are logged',
  },
  egressAllow: {
    type: 'list',
    env: 'SVC_EGRESS_ALLOW',
    default: '',
    summary: 'networks (CIDR) that imports, webhooks and sign-in may reach although they are not public',
  },
  'compat.diffTool': {
    type: 'text',
    env: 'SVC_DIFF_TOOL',
    default: null,
    summary:
      'a program that compares revisions beside our engine, as evidence: a path to oasdiff, or a command with {base} and {head} that writes its findings as JSON',
  },
  'compat.issueUrl': {
    type: 'text',
    env: 'SVC_BREAKING_ISSUE_URL',
    default: null,
    summary: 'where a breaking change is to be written up; {project}, {base}, {head} and {fingerprint} are filled in',
  },
  trustedProxies: {
    type: 'list',
    env: 'SVC_TRUSTED_PROXIES',
    default: '',
    summary: 'networks (CIDR) of the proxies in front of the service, whose X-Forwarded-For is believed',
  },
  'oidc.issuer': {
    type: 'text',
    env: 'SVC_OIDC_ISSUER',
    default: null,
    summary: 'OpenID Connect issuer that people sign in at, as it writes itself; its discovery document is read',
  },
  'oidc.clientId': {
    type: 'text',
    env: 'SVC_OIDC_CLIENT_ID',
    default: null,
    summary: 'id of this service at the issuer; its redirect address there is PUBLIC-URL/_app/oidc/callback',
  },
  'oidc.clientSecret': {
    type: 'text',
    env: 'SVC_OIDC_CLIENT_SECRET',
    default: null,
    secret: 'all',
    summary: 'secret of this service at the issuer; none for a public client',
  },
  'oidc.scopes': {
    type: 'text',
    env: 'SVC_OIDC_SCOPES',
    default: 'openid email profile',
    summary: 'scopes that are asked of the issuer',
  },
  'oidc.name': {
    type: 'text',
    env: 'SVC_OIDC_NAME',
    default: null,
    summary: 'what the sign-in page calls the issuer; its host when absent',
  },
  'oidc.allowedDomains': {
    type: 'list',
    env: 'SVC_OIDC_ALLOWED_DOMAINS',
    default: '',
    summary: 'domains of the verified e-mail addresses that may sign in at the issuer; all when empty',
  },
  'oidc.provision': {
    type: 'choice',
    env: 'SVC_OIDC_PROVISION',
    choices: ['none', 'domains', 'all'],
    default: 'domains',
    summary: 'for whom an account is made at the first sign-in: nobody, the allowed domains, or all the issuer knows',
  },
  'jwt.issuers': {
    type: 'list',
    env: 'SVC_JWT_ISSUERS',
    default: '',
    summary:
      'issuers whose access tokens are good here, each with its JWKS address after a blank unless it has discovery',
  },
  'jwt.audience': {
    type: 'text',
    env: 'SVC_JWT_AUDIENCE',
    default: 'svc',
    summary: 'audience that access tokens of these issuers must name',
  },
  'analysis.processes': {
    type: 'integer',
    env: 'SVC_ANALYSIS_PROCESSES',
    min: 0,
    max: 64,
    default: 2,
    summary:
      'processes in which large documents, and all documents under rules of a tenant, are linted and compared; 0 does it in the service itself, without limits',
  },
  'analysis.deadline': {
    type: 'duration',
    env: 'SVC_ANALYSIS_DEADLINE',
    default: 30_000,
    summary: 'longest that linting or comparing a document may take',
  },
  'analysis.memoryMb': {
    type: 'integer',
    env: 'SVC_ANALYSIS_MEMORY_MB',
    min: 128,
    max: 1_048_576,
    default: 1024,
    summary: 'most memory, in MB, that linting or comparing a document may take',
  },
  drainTimeout: {
    type: 'duration',
    env: 'SVC_DRAIN_TIMEOUT',
    default: 25_000,
    summary: 'longest wait for requests and jobs under way when the service stops',
  },
  'mcp.enabled': {
    type: 'switch',
    env: 'SVC_MCP_ENABLED',
    default: true,
    summary: 'serve the Model Context Protocol over HTTP beside the service',
  },
  'mcp.host': {
    type: 'text',
    env: 'SVC_MCP_HTTP_HOST',
    default: '127.0.0.1',
    summary: 'address of the MCP endpoint',
  },
  'mcp.port': {
    type: 'integer',
    env: 'SVC_MCP_HTTP_PORT',
    min: 0,
    max: 65_535,
    default: 8765,
    summary: 'port of the MCP endpoint; 0 takes a free one',
  },
  'mcp.allowedHosts': {
    type: 'list',
    env: 'SVC_MCP_ALLOWED_HOSTS',
    default: '',
    summary: 'host names beside loopback under which agents may reach the MCP endpoint',
  },
  'mcp.toolNames': {
    type: 'choice',
    env: 'SVC_MCP_TOOL_NAMES',
    choices: ['dots', 'underscore'],
    default: 'dots',
    summary: 'spelling of the tool names that are listed; both are understood',
  },
  'mcp.internalSecret': {
    type: 'text',
    env: 'SVC_MCP_INTERNAL_SECRET',
    default: null,
    secret: 'all',
    minLength: 16,
    summary:
      'at least 16 characters that sign the cursors of agents; one for all replicas. Each process makes its own when absent',
  },
  'embeddings.url': {
    type: 'text',
    env: 'SVC_EMBEDDINGS_URL',
    default: null,
    summary: 'address of an embedding provider, as https://host/v1; search by meaning needs it and its key',
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
    summary: 'model that reads the texts; another one embeds everything anew',
  },
  'otel.endpoint': {
    type: 'text',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    summary: 'OTLP/HTTP endpoint that takes the traces; no traces when absent',
  },
  'otel.headers': {
    type: 'text',
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: null,
    secret: 'all',
    summary: 'headers sent along with the traces, as name=value,name=value',
  },
  'otel.serviceName': {
    type: 'text',
    env: 'OTEL_SERVICE_NAME',
    default: 'svc',
    summary: 'name of this service in the traces',
  },
  'free.seats': quota('SVC_FREE_SEATS', 'seats'),
  'free.tenants': quota('SVC_FREE_TENANTS', 'tenants a person may own'),
  'free.projects': quota('SVC_FREE_PROJECTS', 'projects'),
  'free.versions': quota('SVC_FREE_VERSIONS', 'versions'),
  'free.storage_bytes': quota('SVC_FREE_STORAGE_BYTES', 'stored bytes'),
  'free.repositories': quota('SVC_FREE_REPOSITORIES', 'repositories'),
  'free.webhooks': quota('SVC_FREE_WEBHOOKS', 'webhooks'),
  'free.api_keys': quota('SVC_FREE_API_KEYS', 'API keys'),
  'free.mcp_keys': quota('SVC_FREE_MCP_KEYS', 'MCP keys'),
  'free.polls_per_hour': quota('SVC_FREE_POLLS_PER_HOUR', 'repository polls an hour'),
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
