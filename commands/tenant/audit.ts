import { AuditRecord, tenantsApi } from '../../src/api/tenants.ts'
import { isCalendarDate } from '../../src/calendar-date.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

/** A day or a moment as the interface wants it: a day begins at midnight in UTC, and the last one counts whole. */
const momentOf = (option: string, text: string, wholeDay: boolean): string => {
  const at = isCalendarDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new SvcError('usage', { reason: `--${option} must be a date or a date and time, not "${text}".` })
  const isDay = text.length === 10
  return new Date(at + (isDay && wholeDay ? 86_400_000 : 0)).toISOString()
}

const keyKinds: Partial<Record<AuditRecord['actor_kind'], string>> = {
  'api-key': 'API key',
  'agent-key': 'agent key',
  'mcp-key': 'MCP key',
}

/** A person by name, a key with its kind and its name, or its id where the key is gone. */
const whoOf = ({ actor_kind: kind, actor_name: name, actor_id: id }: AuditRecord): string => {
  const key = keyKinds[kind]
  return key === undefined ? (name ?? id ?? kind) : `${key} ${name === null ? id : `"${name}"`}`
}

export default command({
  summary: 'Show the audit trail, newest first',
  description: 'People, keys and versions are named; --json has their ids and the addresses of their pages too.',
  examples: ['svc tenant audit', 'svc tenant audit --action member.suspended --json'],
  arguments: [],
  options: {
    action: {
      type: 'string',
      placeholder: 'NAME',
      summary: 'only this action, such as member.suspended, or all of a kind: "member.*"',
    },
    actor: { type: 'string', placeholder: 'ID', summary: 'only what this person or key did' },
    target: { type: 'string', placeholder: 'ID', summary: 'only what was done to this version, person, key, …' },
    since: { type: 'string', placeholder: 'WHEN', summary: 'only entries since this date or time' },
    until: { type: 'string', placeholder: 'WHEN', summary: 'only entries up to this date, or before this time' },
    ...pageOptions,
  },
  dataSchema: { type: 'array', items: AuditRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { action, actor, target, since, until, limit, offset } = options
    const page = await call(tenantsApi.audit, {
      params: { tenant_slug: await tenant() },
      query: {
        limit,
        offset,
        ...(action === undefined ? {} : { action }),
        ...(actor === undefined ? {} : { actor }),
        ...(target === undefined ? {} : { target }),
        ...(since === undefined ? {} : { since: momentOf('since', since, false) }),
        ...(until === undefined ? {} : { until: momentOf('until', until, true) }),
      },
    })
    return {
      data: page.items,
      summary: pageSummary(page),
      text: () =>
        page.items.length === 0
          ? 'Nothing was changed yet.\n'
          : renderTable(
              ['TIME', 'WHO', 'ACTION', 'WHAT'],
              page.items.map((it) => [
                shortTime(it.created_at),
                whoOf(it),
                it.action,
                it.target_name ?? it.target_id ?? '',
              ]),
            ) + moreOf(page),
    }
  },
})
