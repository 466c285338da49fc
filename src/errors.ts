/**
 * The error catalogue: the only place where a code, its HTTP status, its exit code and its texts are written, by area in src/errors/.
 * Expected failures are thrown as `SvcError`; anything else that is thrown is a bug and answered as `internal`.
 */
import { access } from './errors/access.ts'
import { accounts } from './errors/accounts.ts'
import { bin } from './errors/bin.ts'
import { fillMessage, type Entry, type ExitCode } from './errors/entry.ts'
import { files } from './errors/files.ts'
import { joins } from './errors/joins.ts'
import { gitDrivers } from './errors/git-drivers.ts'
import { machine } from './errors/machine.ts'
import { mcpServers } from './errors/mcp-servers.ts'
import { gateway } from './errors/gateway.ts'
import { gatewayAgent } from './errors/gateway-agent.ts'
import { overlays } from './errors/overlays.ts'
import { projects } from './errors/projects.ts'
import { requests } from './errors/requests.ts'
import { reviews } from './errors/reviews.ts'
import { repositories } from './errors/repositories.ts'
import { service } from './errors/service.ts'
import { gitApps } from './errors/git-apps.ts'
import { webhooks } from './errors/webhooks.ts'
import { sources } from './errors/sources.ts'
import { types } from './errors/types.ts'

export type { ExitCode } from './errors/entry.ts'

export const catalogue = {
  ...access,
  ...accounts,
  ...requests,
  ...projects,
  ...reviews,
  ...files,
  ...overlays,
  ...joins,
  ...gitDrivers,
  ...sources,
  ...types,
  ...gitApps,
  ...webhooks,
  ...repositories,
  ...gateway,
  ...gatewayAgent,
  ...mcpServers,
  ...bin,
  ...service,
  ...machine,
} as const

/** Every error code: a closed enumeration. */
export type Code = keyof typeof catalogue

/** The context that an error of a code carries: the placeholders of its message, and what else the code declares. */
export type Detail<C extends Code> = (typeof catalogue)[C] extends Entry<infer D> ? D : never

/** An expected failure. `detail` is part of the answer, beside code and message, so it must hold no secret. */
export class SvcError<C extends Code = Code> extends Error {
  readonly code: C
  readonly detail: Detail<C>
  constructor(code: C, ...[detail]: object extends Detail<C> ? [detail?: Detail<C>] : [detail: Detail<C>]) {
    const context = (detail ?? {}) as Detail<C>
    super(fillMessage(catalogue[code].message, context))
    this.name = 'SvcError'
    this.code = code
    this.detail = context
  }
  get status(): number {
    return catalogue[this.code].status
  }
  get exitCode(): ExitCode {
    return catalogue[this.code].exit
  }
  /** What to do next on the command line. */
  get hint(): string {
    return catalogue[this.code].hint
  }
  /** What to do next, for people in a browser: names no command, option or header. */
  get browserHint(): string {
    return browserHintOf(this.code)
  }
}

/** What to do about an error of a code, for people in a browser. */
export const browserHintOf = (code: Code): string => {
  const { hint, browserHint }: Entry = catalogue[code]
  return browserHint ?? hint
}
