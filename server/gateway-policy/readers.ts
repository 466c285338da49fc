import { defineOutboxReader } from '../outbox/door.ts'

/** Notifies people of gateways that are silent or could not use a release, and of approvals that are asked of them or given. */
export const gatewayNoticeReader = defineOutboxReader({
  name: 'gateway-notices',
  work: async (deps, tx, event) => (await import('./notices.ts')).notifyOfGateway(deps, tx, event),
})
