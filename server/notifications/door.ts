/** What other rooms use of notifications. */
export { assertInboxRoom, mostUnreadFromOne } from './inbox-room.ts'
export { sendNotifications } from './send.ts'
