/** What other rooms use of notifications. */
export { assertInboxRoom } from './inbox-room.ts'
export { sendNotifications } from './send.ts'
