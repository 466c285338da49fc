import type { Options } from './options.ts'

/** Options of every command: before the command, or after it unless the command has one of the same name. */
export const globalOptions = {
  'base-url': {
    type: 'string',
    placeholder: 'URL',
    env: 'SVC_BASE_URL',
    summary: 'use the service at this URL instead of the local workspace',
  },
  tenant: { type: 'string', placeholder: 'SLUG', env: 'SVC_TENANT', summary: 'slug of the organization to work in' },
  'api-key': {
    type: 'string',
    placeholder: 'KEY',
    env: 'SVC_API_KEY',
    summary: 'API key (safer in the variable: other users can see command lines)',
  },
  workspace: {
    type: 'string',
    placeholder: 'DIR',
    env: 'SVC_WORKSPACE',
    summary: 'folder of the local workspace (default: the nearest .svc, else your data folder)',
  },
  'allow-hosts': {
    type: 'string',
    placeholder: 'HOSTS',
    env: 'SVC_ALLOW_HOSTS',
    summary: 'hosts, separated by commas, whose addresses in files are requested (HOST or HOST:PORT; default: none)',
  },
  offline: {
    type: 'boolean',
    env: 'SVC_OFFLINE',
    summary: 'request no address and no service at all',
  },
  root: {
    type: 'string',
    placeholder: 'DIR',
    env: 'SVC_ROOT',
    summary:
      'references lead to no file outside this folder (default: the repository, else the folder of the document)',
  },
  json: { type: 'boolean', summary: 'print one JSON object on standard output, also on failure' },
  timeout: {
    type: 'duration',
    placeholder: 'TIME',
    env: 'SVC_TIMEOUT',
    min: 1,
    default: 60_000,
    summary: 'timeout of a single request: 500ms, 30s, 5m (default 60s)',
  },
  deadline: {
    type: 'duration',
    placeholder: 'TIME',
    env: 'SVC_DEADLINE',
    min: 1,
    default: 120_000,
    summary: 'longest time that a command may work on one document (default 2m)',
  },
  'max-memory': {
    type: 'integer',
    placeholder: 'MB',
    env: 'SVC_MAX_MEMORY',
    min: 128,
    default: 4096,
    summary: 'most memory that a command may need for it',
  },
  quiet: {
    type: 'boolean',
    short: 'q',
    summary: 'print only warnings and errors on standard error; imports print no summary either',
  },
  verbose: { type: 'boolean', short: 'v', summary: 'also print requests and stack traces on standard error' },
  help: { type: 'boolean', short: 'h', summary: 'show the help of the command' },
} as const satisfies Options

/** The values of the global options. */
export interface Globals {
  readonly baseUrl: string | undefined
  readonly tenant: string | undefined
  readonly apiKey: string | undefined
  readonly workspace: string | undefined
  /** The folder outside which no reference of a document is followed, where one was named. */
  readonly root: string | undefined
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly timeoutMs: number
  /** How long a command may work on one document. */
  readonly deadlineMs: number
  /** How much memory a command may need that works on documents. */
  readonly memoryMb: number
  /** Nothing is requested. */
  readonly offline: boolean
  /** Hosts whose addresses in files may be requested: HOST or HOST:PORT. */
  readonly allowHosts: readonly string[]
  /** The addresses that the command line itself names. */
  readonly named: readonly string[]
  /** The global options that were given on the command line or in a variable, as opposed to a default. */
  readonly given: readonly string[]
}
