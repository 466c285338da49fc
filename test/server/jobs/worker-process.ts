/**
 * A worker in a process of its own, to be killed: `bun worker-process.ts <target as JSON> <stall|finish>`. It writes
 * fifty tenants and finishes the job in one transaction; with "stall" it stops in the middle of that.
 */
import { openDatabase, type DatabaseTarget } from '../../../db/open.ts'
import { tenants } from '../../../db/tables.gen.ts'
import { startWorker } from '../../../server/jobs/worker.ts'

const [target = '', mode] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(target) as DatabaseTarget)
const stop = new AbortController()
const at = new Date().toISOString()

const worker = startWorker({
  db,
  signal: stop.signal,
  now: () => new Date(),
  pollMs: 20,
  leaseMs: 300,
  concurrency: 1,
  handlers: {
    fill: async ({ job }) => {
      console.log(`claimed ${job.attempts}`)
      return async (tx) => {
        for (let n = 0; n < 50; n++) {
          const slug = `made-${n}`
          await tx.insert(tenants).values({ id: slug, slug, name: slug, settings: {}, createdAt: at, updatedAt: at })
          if (n === 25 && mode === 'stall') {
            console.log('half')
            await new Promise(() => {})
          }
        }
        tx.afterCommit(() => stop.abort())
        return { status: 'completed', result: { rows: 50 } }
      }
    },
  },
})
await worker.done
await db.close()
console.log('done')
