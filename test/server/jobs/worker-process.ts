/**
 * A worker in a process of its own: `bun worker-process.ts <target as JSON> <stall|finish|share>`. For a "fill" job it
 * writes fifty tenants and finishes the job in one transaction; with "stall" it stops in the middle of that, to be
 * killed. With "share" it runs "count" jobs, each writing its own id, until its input ends.
 */
import { defineJob } from '../../../server/jobs/define.ts'
import { clockOf } from '../../../db/clock.ts'
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
  clock: clockOf(),
  pollMs: 20,
  // A loaded machine may keep a process from its heartbeats for a while: only a lease that is to run out is short.
  leaseMs: mode === 'share' ? 30_000 : 300,
  concurrency: 1,
  handlers: [
    defineJob<object, number>('count').handle(async ({ job }) => {
      // Long enough for the other process to look at the queue meanwhile.
      await Bun.sleep(20)
      return async (tx) => {
        const id = `${job.id} ${process.pid}`
        await tx.insert(tenants).values({ id, slug: id, name: id, settings: {}, createdAt: at, updatedAt: at })
        return { status: 'completed', result: process.pid }
      }
    }),
    defineJob<object, object>('fill').handle(async ({ job }) => {
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
    }),
  ],
})
if (mode === 'share') {
  console.log('ready')
  for await (const _ of Bun.stdin.stream());
  stop.abort()
}
await worker.done
await db.close()
console.log('done')
