import { type RuleAction, ruleActions } from '../../../../../src/gateway-policy/door.ts'
import type { Tone } from '../../../parts/badge.tsx'

export const actionTones: Readonly<Record<string, Tone>> = {
  block: 'danger',
  'rate-limit': 'warn',
  challenge: 'warn',
  log: 'info',
  allow: 'ok',
  skip: 'accent',
  exempt: 'accent',
}

const actionDetails: Readonly<Record<RuleAction, string>> = {
  block: 'refuse the request',
  log: 'let it pass and record it',
  challenge: 'ask a browser to prove itself',
  allow: 'let it pass without any other check',
  skip: 'leave out managed groups',
  'rate-limit': 'refuse requests above a limit',
}
export const actionOptions = ruleActions.map((value) => ({ value, name: `${value}: ${actionDetails[value]}` }))
