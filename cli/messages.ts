/** What is said to a person: one consola instance that writes to standard error. */
import { createConsola, type ConsolaInstance, type LogType } from 'consola/core'

type Env = Readonly<Record<string, string | undefined>>

/** The messages of a run. Standard output is never used: it is for data alone. */
export interface Messages {
  /** `error`, `warn`, `info`, `log` (as is) and `debug`, each where the level of the run allows it. */
  readonly log: ConsolaInstance
  /** Resolves when everything logged so far was written. */
  flush(): Promise<void>
}

const levels = { silent: -1, error: 0, warn: 1, info: 3, debug: 4 } as const

/**
 * The level of consola that applies: --verbose (or SVC_DEBUG=1) and --quiet, then SVC_LOG_LEVEL, else `info`.
 * A value of the variable that is not one of debug, info, warn, error and silent is left to `svc doctor`.
 */
export const messageLevel = (given: { readonly quiet: boolean; readonly verbose: boolean }, env: Env): number => {
  if (given.verbose || env.SVC_DEBUG === '1') return levels.debug
  if (given.quiet) return levels.warn
  const named = env.SVC_LOG_LEVEL ?? ''
  // Failures are always reported: with "silent" too a command that failed says why.
  if (named === 'silent') return levels.error
  return named in levels ? levels[named as keyof typeof levels] : levels.info
}

const prefixes: Partial<Record<LogType, readonly [text: string, colour: number]>> = {
  error: ['error:', 31],
  warn: ['warning:', 33],
  debug: ['debug:', 2],
}

const paint = (text: string, colour: number): string => `\u001b[${colour}m${text}\u001b[${colour === 2 ? 22 : 39}m`

/** A message of a type as standard error shows it. */
export const messageText = (type: LogType, text: string, colour: boolean): string => {
  const [prefix, code] = prefixes[type] ?? ['', 0]
  const shown = prefix === '' ? '' : `${colour ? paint(prefix, code) : prefix} `
  return `${shown}${text}`
}

/**
 * The messages of a run, written in order by `write` (one message with its line feed).
 * @param colour whether standard error takes colours
 */
export const createMessages = (write: (text: string) => Promise<void>, colour: boolean): Messages => {
  let written = Promise.resolve()
  const log = createConsola({
    level: levels.info,
    // Repeated lines are never held back: a process that ends would lose them.
    throttle: 0,
    reporters: [
      {
        log: ({ type, args }) => {
          const text = messageText(type, args.join(' '), colour)
          written = written.then(() => write(text.endsWith('\n') ? text : `${text}\n`))
        },
      },
    ],
  })
  return { log, flush: () => written }
}
