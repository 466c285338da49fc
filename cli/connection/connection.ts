import type { Call } from '../../src/api/endpoint.ts'
import type { Io } from '../io.ts'

/** An open connection to the service. A command cannot know whether it is local or remote. */
export interface Connection {
  readonly call: Call
  /** The same for calls that are made while the command ends: Ctrl-C does not abort them. */
  readonly shutdownCall: Call
  /** Slug of the tenant to work in: the one given, else the only one there is; an error where there are several. */
  tenant(): Promise<string>
  /** Closes it. Jobs that run in this process finish first; with `force` they are given back at once. */
  close(force?: boolean): Promise<void>
  /** For messages: the address or the workspace folder. */
  readonly describe: string
}

/** What opening a connection uses of its surroundings. */
export interface ConnectContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
  readonly log: Io['log']
}
