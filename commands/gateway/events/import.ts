import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { command } from '../../../cli/declare.ts'
import { readText } from '../../../cli/consumer/shared.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'
import { plural } from '../../../src/plural.ts'

/** As many lines as one request takes. */
const linesAtOnce = 5000

export default command({
  summary: 'Import recorded events: one JSON object in each line',
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
})
