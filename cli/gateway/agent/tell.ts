/** What the agent says of itself: one line for each event. */
import { oneLine } from '../../../src/report/escape.ts'
import type { Io } from '../../io.ts'
import type { Tell } from './releases.ts'

const sentences: Readonly<Record<string, string>> = {
  started: 'started',
  stopped: 'stopped',
  'release-used': 'the engine reads the release; watching it',
  'release-active': 'the release is active',
  'release-failed': 'the release is not used',
  'release-not-used': 'what the service sent is not used',
  'release-not-seen': 'the gateway does not use the active release any more',
  'release-seen': 'the gateway uses the active release again',
  returned: 'the engine is back on the last good release',
  'return-failed': 'the engine did not go back yet; trying again',
  'service-not-reached': 'the service is not reached; traffic continues under the last good release',
  'service-reached': 'the service is reached again',
  'status-refused': 'the service did not take the status',
  'state-not-saved': 'the state could not be saved',
  'spool-not-written': 'log records could not be kept; reading them again later',
  'records-dropped': 'log records were dropped',
  'records-refused': 'the service refused log records',
  'records-throttled': 'the service counted log records without keeping them',
  'records-not-sent': 'log records could not be sent; trying again',
  'paths-not-reported': 'calls of undeclared paths were not reported',
  'lines-too-long': 'lines of a log were too long',
  'lines-not-read': 'lines of a log were not read',
  'log-missing': 'a log is not there yet',
  'prune-failed': 'old releases could not be removed',
  'public-key-replaced': 'the given public key replaces the one that was kept',
}

/** @param format text on standard error, or JSON, one object in a line, on standard output */
export function tellTo(io: Io, format: 'text' | 'ndjson'): Tell {
  return (event, data, level = 'info') => {
    if (format === 'ndjson') {
      void io.stdout(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...data })}\n`)
      return
    }
    const parts = Object.entries(data).filter(([, value]) => value !== null)
    const shown = parts.map(([name, value]) => `${name}=${typeof value === 'string' ? quoted(value) : String(value)}`)
    io.log[level]([sentences[event] ?? event, ...shown].join(' '))
  }
}

/** On one line, whatever the text is. */
const quoted = (text: string): string => {
  const line = oneLine(text.replaceAll(/\s*\n\s*/g, ' | '))
  return /[\s="]/.test(line) ? JSON.stringify(line) : line
}
