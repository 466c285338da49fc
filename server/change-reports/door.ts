/** What other rooms use of change reports. */
export { visibleReports } from './visible.ts'
export { writeReport } from './write.ts'
