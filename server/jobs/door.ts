/** What other rooms use of jobs. */
export { defineJob, type JobOf } from './define.ts'
export { assertJobRoom } from './room.ts'
export { waitForJob } from './wait.ts'
export type { JobHandler, JobWork, Persist } from './worker.ts'
