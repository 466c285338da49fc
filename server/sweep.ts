import { defineDue } from './schedule/define.ts'

const hourMs = 3_600_000
/** How long finished jobs stay readable. */
const keepJobsMs = 30 * 24 * hourMs

/** Removes what became too old, each hour, in one of the processes on a database. */
export const sweepKind = defineDue({
  kind: 'sweep',
  longestMs: 10 * 60_000,
  everyMs: hourMs,
  async run({ deps: { db, clock, vault } }) {
    const [
      jobs,
      identity,
      wizard,
      outbox,
      notifications,
      types,
      webhooks,
      repositories,
      hooks,
      apps,
      visits,
      mcpServers,
      bin,
      objects,
    ] = await Promise.all([
      import('../db/jobs.ts'),
      import('./sign-in/sweep.ts'),
      import('./onboarding/wizard.ts'),
      import('./outbox/sweep.ts'),
      import('./notifications/sweep.ts'),
      import('./primitives/import.ts'),
      import('./webhooks/sweep.ts'),
      import('./repositories/quota.ts'),
      import('./hooks/service.ts'),
      import('./hooks/receive-app.ts'),
      import('./providers/visits.ts'),
      import('./mcp-servers/sweep.ts'),
      import('./bin/forget.ts'),
      import('../db/objects/collect.ts'),
    ])
    const now = clock.now()
    const steps = [
      identity.sweepIdentity,
      wizard.sweepWizard,
      outbox.sweepOutbox,
      notifications.sweepNotifications,
      webhooks.sweepDeliveries,
      repositories.sweepPolls,
      hooks.sweepHooks,
      apps.sweepAppDeliveries,
      visits.sweepVisits,
      mcpServers.sweepObservations,
    ]
    await jobs.removeFinishedJobs(db, now - keepJobsMs)
    // Some hundred rows at a time: other writers do not wait for all of them.
    for (const step of steps) await step(db, now)
    await db.inTransaction((tx) => types.sweepStages(tx, now))
    await bin.forgetExpired(db, vault, now)
    // The last: where the store does not answer, the rest is done.
    await objects.collectObjects(db, now)
    return null
  },
})
