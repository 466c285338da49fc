/** What other rooms use of webhooks. */
export { failingWebhooks } from './failing.ts'
