import { gatewayApi } from '../../../src/api/gateway.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { groupIds } from '../../../src/gateway/policy/catalogue.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import {
  controlsOf,
  endOf,
  environmentArgument,
  exceptionTable,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Exempt one place from groups or rules until an end',
  description:
    'With --event, the narrowest exception that would have let the event pass is taken; other options replace its parts.',
  examples: [
    'svc gateway exception add production --route /search --field query:q --group sqli --until 12h --reason "Names with apostrophes"',
    'svc gateway exception add production --event 01a1fdb6-5607-74ce-8102-e0af632fd4cf --until 7d',
  ],
  arguments: [environmentArgument],
  options: {
    event: { type: 'string', placeholder: 'ID', summary: 'draft it from this event' },
    route: { type: 'string', placeholder: 'TEMPLATE', summary: 'template of the operation, as "/pets/{petId}"' },
    path: { type: 'string', placeholder: 'PATH', summary: 'in place of a route: "/search", or all below: "/files/*"' },
    method: { type: 'string', placeholder: 'METHOD', summary: 'only this method' },
    field: {
      type: 'string',
      placeholder: 'FIELD',
      summary: 'only this field: query:NAME, header:NAME, cookie:NAME, json:/POINTER',
    },
    group: {
      type: 'string',
      multiple: true,
      placeholder: 'GROUP',
      choices: groupIds,
      summary: 'a managed group it is exempt from (repeatable)',
    },
    rule: {
      type: 'string',
      multiple: true,
      placeholder: 'REF',
      summary: 'a rule it is exempt from: crs:942100, rule:ID, positive:CHECK (repeatable)',
    },
    until: {
      type: 'string',
      placeholder: 'END',
      summary: 'a duration such as 12h or 7d, or an instant; at most 30 days',
    },
    ticket: { type: 'string', placeholder: 'REF', summary: 'where the cause is worked on' },
    reason: reasonOption,
    ...writeOptions,
  },
  dataSchema: gatewayApi.createException.response,
  async run({ args, options, connection }) {
    const { event, route, path, method, field, group, rule, until, ticket, reason } = options
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    const draft =
      event === undefined
        ? null
        : await call(gatewayRecordsApi.draftException, { params: { ...params, event_id: event }, query })
    const text = reason ?? draft?.reason
    if (text === undefined) throw new SvcError('usage', { reason: 'Give --reason' })
    const end = until === undefined ? draft?.expiresAt : endOf(until, Date.now())
    const written = await call(gatewayApi.createException, {
      params,
      query,
      body: {
        scope: {
          ...(path === undefined ? { route: route ?? draft?.scope.route ?? null } : { route: route ?? null, path }),
          method: method ?? draft?.scope.method ?? null,
          field: field ?? draft?.scope.field ?? null,
        },
        target:
          group.length + rule.length === 0 && draft !== null
            ? draft.target
            : { groups: [...group], ruleRefs: [...rule] },
        reason: text,
        ...(ticket === undefined ? {} : { ticket }),
        ...(end == null ? {} : { expiresAt: end }),
        ...controlsOf(options),
      },
    })
    const shown = written.dryRun ? '' : exceptionTable([written.exception])
    return { data: written, text: shown + writtenText(written) }
  },
})
