import { clockOf, type Clock } from '../../db/clock.ts'
import { type LogLevel, logLevels } from '../settings/door.ts'
import { traceIdHere } from '../../src/kernel/span.ts'
import { redact, redactText } from './redact.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Logger {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** Whether lines of a level are written at all: a caller that has much to gather asks first. */
  isEnabled(level: (typeof logLevels)[number]): boolean
  /** A logger whose every line carries `fields` too, as a request id. */
  with(fields: Fields): Logger
}

/**
 * A log of one JSON object per line: `time` (ISO 8601), `level`, `message`, then the fields. Secrets are taken out by the
 * name of their field and by their shape; a field can replace none of the first three. Within a trace a line has its `trace_id`.
 *
 * @param options.write receives each line with its line feed; standard error in a process, since standard output is data
 * @param options.clock that of the machine when omitted
 */
export function createLogger(options: {
  readonly level: LogLevel
  readonly write: (line: string) => void
  readonly clock?: Clock
}): Logger {
  const clock = options.clock ?? clockOf()
  const least = options.level === 'silent' ? logLevels.length : logLevels.indexOf(options.level)
  const enabled = Object.fromEntries(logLevels.map((level, rank) => [level, rank >= least])) as Record<
    (typeof logLevels)[number],
    boolean
  >
  const make = (base: Fields): Logger => {
    const emit =
      (level: Exclude<LogLevel, 'silent'>) =>
      (message: string, fields: Fields = {}) => {
        if (logLevels.indexOf(level) < least) return
        const head = { time: clock.iso(), level, message: redactText(message) }
        const trace = traceIdHere()
        const rest = redact({ ...(trace !== null && { trace_id: trace }), ...base, ...fields }) as object
        options.write(`${JSON.stringify({ ...head, ...rest, ...head })}\n`)
      }
    return {
      debug: emit('debug'),
      info: emit('info'),
      warn: emit('warn'),
      error: emit('error'),
      isEnabled: (level) => enabled[level],
      with: (fields) => make({ ...base, ...fields }),
    }
  }
  return make({})
}
