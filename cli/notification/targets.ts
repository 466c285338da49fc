/** What the commands about targets of news share. */
import type { NotificationRule, NotificationTarget } from '../../src/api/notification-targets.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readFirstLine } from '../input/named-file.ts'
import { renderFacts, shortTime } from '../table.ts'

const ruleText = ({ type, projects, tags }: NotificationRule): string => {
  const limits = [...(projects ?? []).map(({ slug }) => slug), ...(tags ?? []).map((tag) => `#${tag}`)]
  return projects === null && tags === null ? type : `${type} (${limits.join(', ')})`
}

/** When e-mail is sent, in words. */
function scheduleText({ schedule }: NotificationTarget): string | null {
  if (schedule === null) return null
  const { frequency, at, weekday, time_zone: zone } = schedule
  if (frequency === 'at_once') return 'at once'
  if (frequency === 'hourly') return 'every hour'
  return frequency === 'daily' ? `every day at ${at} (${zone})` : `every ${weekday} at ${at} (${zone})`
}

/** How a target is, in a few words. */
export function stateOf({ active, stopped, last_error: error, confirmed }: NotificationTarget): string {
  if (stopped !== null) return `stopped: ${stopped}`
  if (!active) return 'off'
  if (confirmed === false) return 'address not confirmed'
  return error === null ? 'on' : `failing: ${error}`
}

/** A target as a person reads it. */
export const renderTarget = (target: NotificationTarget): string =>
  renderFacts([
    ['Target', target.name],
    ['Id', target.id],
    ['Owner', target.kind === 'chat' ? target.owner : null],
    ['Address', target.address ?? target.host],
    ['Sent', scheduleText(target)],
    ['State', stateOf(target)],
    ['Waiting', target.waiting === 0 ? null : String(target.waiting)],
    ['Last', target.last_at === null ? null : shortTime(target.last_at)],
    ['News', target.rules.length === 0 ? 'none' : target.rules.map(ruleText).join(', ')],
  ])

export const targetArgument = {
  name: 'target',
  summary: '"bell", "email" or the id of a chat',
  field: 'target_id',
} as const

/**
 * The address of an incoming webhook, which is a secret: from standard input or SVC_CHAT_URL.
 * @throws SvcError `usage` where there is none
 */
export async function readChatUrl({ io, env, options }: Invocation): Promise<string> {
  const text = options['url-stdin'] === true ? await readFirstLine({ io }) : env.SVC_CHAT_URL?.trim()
  if (text !== undefined && text !== '') return text
  throw new SvcError('usage', { reason: 'Missing address of the chat: pipe it to --url-stdin, or set SVC_CHAT_URL.' })
}
