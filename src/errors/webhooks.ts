import { entry } from './entry.ts'

/** Webhook subscriptions and deliveries. */
export const webhooks = {
  'webhook-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no webhook subscription {subscription}.',
    hint: 'List the subscriptions with "svc webhooks list".',
    browserHint: 'Open the list of webhooks and choose one.',
  }),
  'webhook-url-taken': entry({
    status: 409,
    exit: 2,
    message: 'The organization already has a webhook subscription for {url}.',
    hint: 'Change that subscription, or add a path or query to the URL so that the two differ.',
  }),
  'webhook-url-invalid': entry({
    status: 422,
    exit: 2,
    message: 'The webhook URL is invalid: {reason}.',
    hint: 'Give an https URL of at most 2048 characters, without user name, password and fragment.',
  }),
  'webhook-secret-weak': entry({
    status: 422,
    exit: 2,
    message: 'The signing secret is invalid: {reason}.',
    hint: 'Give "whsec_" followed by base64 of 24 to 64 random bytes ("openssl rand -base64 32"), or any other text of at least 24 bytes.',
  }),
  'webhook-disabled': entry({
    status: 409,
    exit: 2,
    message: 'The webhook subscription {subscription} is not active.',
    hint: 'Activate it with "svc webhooks update ID --on", then try again.',
    browserHint: 'Activate it, then try again.',
  }),
  'delivery-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no webhook delivery {delivery}.',
    hint: 'Use the id from the header webhook-id. Deliveries are kept for 30 days, dead letters for 90.',
  }),
  'delivery-not-replayable': entry({
    status: 409,
    exit: 2,
    message: 'The delivery {delivery} is not finished: its status is {state}.',
    hint: 'Wait until it is delivered, cancelled or a dead letter. The next attempt is automatic.',
  }),
} as const
