/** What other rooms use of schedule. */
export { defineDue } from './define.ts'
export { schedule, scheduleBy, unschedule } from './rows.ts'
