import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { SvcError } from '../../../src/errors.ts'
import { eventActions } from '../../../src/gateway-policy/door.ts'
import { plural } from '../../../src/kernel/plural.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { followEvents } from '../../../cli/gateway/follow.ts'
import {
  countText,
  environmentArgument,
  eventTable,
  eventText,
  securityCall,
  sinceOf,
} from '../../../cli/gateway/command-parts.ts'
import { readText } from '../../../cli/input/named-file.ts'

/** As many lines as one request takes. */
const linesAtOnce = 5000

export default group({
  summary: 'List and import what gateways recorded',
  commands: {
    show: derive(gatewayRecordsApi.event, {
      examples: ['svc gateway events show production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [environmentArgument, { name: 'event', summary: 'id of the event' }],
      text: eventText,
    }),
    import: command({
      summary: 'Import recorded events: one JSON object per line',
      description:
        'Values are replaced by their length and a keyed digest before anything is stored. Events whose id is known are skipped, so that a file can be imported again.',
      examples: ['svc gateway events import production events.ndjson'],
      arguments: [
        environmentArgument,
        { name: 'file', required: true, summary: 'file with the events, "-" is standard input' },
      ],
      options: {},
      async run(invocation) {
        const { args, connection } = invocation
        const lines = (await readText(args.file, invocation)).split(/\r?\n/).filter((line) => line.trim() !== '')
        const { call, query } = await securityCall(connection)
        let [stored, known] = [0, 0]
        for (let from = 0; from < lines.length; from += linesAtOnce) {
          const body = new TextEncoder().encode(lines.slice(from, from + linesAtOnce).join('\n'))
          const done = await call(gatewayRecordsApi.importEvents, {
            params: { environment_id: args.environment },
            query,
            body,
          })
          stored += done.stored
          known += done.known
        }
        const skipped = known === 0 ? '' : ` Skipped, since they were stored before: ${known}.`
        return { data: { stored, known }, text: `Stored ${plural(stored, 'event')}.${skipped}\n` }
      },
    }),
    list: command({
      summary: 'List what gateways recorded, most recent first',
      examples: [
        'svc gateway events list production --rule crs:942100 --action block',
        'svc gateway events list production --follow',
      ],
      arguments: [environmentArgument],
      options: {
        rule: {
          type: 'string',
          placeholder: 'REF',
          summary: 'a rule that matched: crs:942100, rule:ID, positive:CHECK',
        },
        action: { type: 'string', placeholder: 'ACTION', choices: eventActions, summary: 'result of the request' },
        route: { type: 'string', placeholder: 'TEMPLATE', summary: 'template of the operation' },
        release: { type: 'string', placeholder: 'ID', summary: 'the release that the gateway followed' },
        region: { type: 'string', placeholder: 'NAME', summary: 'the region of the gateway' },
        source: { type: 'string', placeholder: 'NAME', summary: 'the gateway' },
        since: {
          type: 'string',
          placeholder: 'WHEN',
          summary: 'only events since this time, or for this long, such as 2h',
        },
        follow: { type: 'boolean', summary: 'show further events as they arrive, until Ctrl-C' },
        limit: { type: 'integer', placeholder: 'N', default: 50, summary: 'maximum number of rows, up to 200' },
      },
      dataSchema: gatewayRecordsApi.events.response,
      graceful: true,
      async run({ args, options, connection, globals, io, signal }) {
        const { rule, action, route, release, region, source, limit, follow } = options
        if (follow && globals.json)
          throw new SvcError('usage', { reason: '--follow prints lines until Ctrl-C and has no JSON form' })
        const { call, query } = await securityCall(connection)
        const since = options.since === undefined ? undefined : sinceOf(options.since, Date.now())
        const ask = (from: string | undefined) =>
          call(gatewayRecordsApi.events, {
            params: { environment_id: args.environment },
            query: {
              ...query,
              limit: follow ? 200 : limit,
              ...(from === undefined ? {} : { since: from }),
              ...(rule === undefined ? {} : { ruleRef: rule }),
              ...(action === undefined ? {} : { action }),
              ...(route === undefined ? {} : { route }),
              ...(release === undefined ? {} : { releaseId: release }),
              ...(region === undefined ? {} : { region }),
              ...(source === undefined ? {} : { source }),
            },
          })
        if (follow) {
          const list = async (from: string) => (await ask(from)).events
          const pause = () => sleep(2000, undefined, { signal }).catch(() => undefined)
          const start = since ?? new Date().toISOString()
          await followEvents({ list, print: (text) => io.stdout(text), pause, signal }, start)
          return
        }
        const found = await ask(since)
        return { data: found, text: eventTable(found.events) + countText(found.count, found.total, 'event') }
      },
    }),
  },
})
