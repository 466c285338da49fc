import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { groupIds } from '../../../src/gateway-policy/door.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import {
  controlsOf,
  endOf,
  environmentArgument,
  exceptionTable,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/command-parts.ts'

export default group({
  summary: 'Manage exceptions',
  commands: {
    list: derive(gatewayApi.exceptions, {
      examples: ['svc gateway exception list production --all'],
      arguments: [environmentArgument],
      options: { all: { summary: 'also those that expired or were removed', field: 'include_expired' } },
      text: ({ exceptions }) => exceptionTable(exceptions),
    }),
    delete: command({
      summary: 'Remove an exception; it stays in the list',
      examples: ['svc gateway exception delete production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [environmentArgument, { name: 'exception', required: true, summary: 'id of the exception' }],
      options: writeOptions,
      dataSchema: gatewayApi.removeException.response,
      async run({ args, options, connection }) {
        const { call, query } = await securityCall(connection)
        const place = { environment_id: args.environment }
        // The operation requires a version: without one given, the one that is in force now.
        const { policyVersion } = await call(gatewayApi.managedGroups, { params: place, query })
        const written = await call(gatewayApi.removeException, {
          params: { ...place, exception_id: args.exception },
          query: { ...query, expectedPolicyVersion: policyVersion, ...controlsOf(options) },
        })
        return { data: written, text: writtenText(written) }
      },
    }),
    create: command({
      summary: 'Exempt one part of requests from groups or rules until a date',
      description:
        'With --event, the narrowest exception that would have let the event pass is taken; other options replace its parts.',
      examples: [
        'svc gateway exception create production --route /search --field query:q --group sqli --until 12h --reason "Names with apostrophes"',
        'svc gateway exception create production --event 01a1fdb6-5607-74ce-8102-e0af632fd4cf --until 7d',
      ],
      arguments: [environmentArgument],
      options: {
        event: { type: 'string', placeholder: 'ID', summary: 'draft it from this event' },
        route: { type: 'string', placeholder: 'TEMPLATE', summary: 'template of the operation, as "/pets/{petId}"' },
        path: {
          type: 'string',
          placeholder: 'PATH',
          summary: 'in place of a route: "/search", or all below: "/files/*"',
        },
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
          summary: 'a managed group to skip (repeatable)',
        },
        rule: {
          type: 'string',
          multiple: true,
          placeholder: 'REF',
          summary: 'a rule to skip: crs:942100, rule:ID, positive:CHECK (repeatable)',
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
    }),
  },
})
