import type { Json } from '../kernel/json.ts'
import { severities, type Severity } from './finding.ts'

const named: Readonly<Record<string, Severity | 'off'>> = {
  error: 'error',
  warn: 'warning',
  warning: 'warning',
  info: 'info',
  information: 'info',
  hint: 'hint',
  off: 'off',
}

/** A severity as rulesets write it: a name, or a number from 0 (error) to 3 (hint), -1 being off; null for anything else. */
export function readSeverity(value: Json | undefined): Severity | 'off' | null {
  if (typeof value === 'string' && Object.hasOwn(named, value)) return named[value] ?? null
  const number = typeof value === 'string' && /^-?\d$/.test(value) ? Number(value) : value
  if (number === -1) return 'off'
  return typeof number === 'number' ? (severities[number] ?? null) : null
}
