/** What other rooms use of notifications. */
export { sendNotifications } from './send.ts'
