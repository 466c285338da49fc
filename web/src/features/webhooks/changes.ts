import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import type { Input } from '../../../../src/api/endpoint.ts'
import { type Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { type Code, SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { fieldError } from '../../parts/form.tsx'
import { refreshWebhooks, subscriptionParams, type SubscriptionRef } from './queries.ts'
import { localOf } from '../../parts/time.ts'

/** Changes a subscription and reads everything about it again. What is left out stays as it is. */
export const patchSubscription = async (
  at: SubscriptionRef,
  body: NonNullable<Input<typeof webhooksApi.update>['body']>,
): Promise<void> => {
  await call(webhooksApi.update, { params: subscriptionParams(at), body })
  await refreshWebhooks(at.tenant)
}

const fields: Partial<Record<Code, 'url' | 'signingSecret'>> = {
  'webhook-url-invalid': 'url',
  'webhook-url-taken': 'url',
  'webhook-secret-weak': 'signingSecret',
}

/** The field that a refusal is about; null where it is about none. */
export const refusedField = (error: unknown): 'url' | 'signingSecret' | null =>
  error instanceof SvcError ? (fields[error.code as Code] ?? null) : null

/** Why a field was refused, if it was. */
export const refusalAt = (error: unknown, field: 'url' | 'signingSecret'): string | undefined =>
  error instanceof SvcError && refusedField(error) === field ? error.message : fieldError(error, field)

const margin = 5 * 60_000

/**
 * The first moment from which a subscription may have missed events, as a field for date and time has it; empty where it is
 * unknown.
 */
export const missedSince = ({ failingSince, disabledAt }: Subscription): string => {
  const since = failingSince ?? disabledAt
  return since === null ? '' : localOf(Date.parse(since) - margin)
}

/** Sends a test event, and shows what becomes of it. */
export const useTestEvent = (tenant: string) => {
  const navigate = useNavigate()
  return useMutation({
    scope: { id: useId() },
    mutationFn: async (subscription: string) => {
      const { id } = await call(webhooksApi.test, { params: subscriptionParams({ tenant, subscription }) })
      await refreshWebhooks(tenant)
      await navigate({
        to: '/t/$tenant/-/webhooks/$subscription/$delivery',
        params: { tenant, subscription, delivery: id },
      })
    },
  })
}

/** Sends a delivery again. */
export const useRedelivery = (tenant: string) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (delivery: string) => {
      await call(webhooksApi.redeliver, { params: { tenant_slug: tenant, event_id: delivery } })
      await refreshWebhooks(tenant)
    },
  })
