import { queryOptions } from '@tanstack/react-query'
import {
  type ChatService,
  type NotificationRule,
  type NotificationTarget,
  notificationTargetsApi,
} from '../../../../src/api/notification-targets.ts'
import type { Input, Output } from '../../../../src/api/endpoint.ts'
import type { NotificationType } from '../../../../src/api/notifications.ts'
import { call } from '../../call.ts'
import { queryClient } from '../../query-client.ts'
import { showMessage } from '../../parts/toast.ts'

type Targets = Output<typeof notificationTargetsApi.list>

/** What each type is about. */
export const typeNames: Readonly<Record<NotificationType, string>> = {
  mention: 'Mentions',
  review_requested: 'Review requests',
  review_decision: 'Review decisions',
  thread_resolved: 'Resolved threads',
  version_published: 'Published versions',
  repository: 'Repositories',
  mcp_server: 'MCP servers',
  gateway: 'Gateways',
  account: 'Your account',
}

export const serviceNames: Readonly<Record<ChatService, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  mattermost: 'Mattermost',
}

/** Where the news of the person go. */
export const targetsQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['notification-targets', tenant],
    queryFn: () => call(notificationTargetsApi.list, { params: { tenant_slug: tenant } }),
  })

const paramsOf = (tenant: string, target: string) => ({ tenant_slug: tenant, target_id: target })

/** Puts a target that the service answered in the place of the one before. */
const keep = (tenant: string, target: NotificationTarget): void => {
  queryClient.setQueryData<Targets>(targetsQuery(tenant).queryKey, (before) =>
    before === undefined
      ? before
      : { ...before, items: before.items.map((one) => (one.id === target.id ? target : one)) },
  )
}

const reread = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: targetsQuery(tenant).queryKey })

export interface Limits {
  /** Slugs. */
  readonly projects: readonly string[]
  readonly tags: readonly string[]
}

/** Lets news of a type go to a target, or no more. */
export async function setRule(
  tenant: string,
  target: string,
  type: NotificationType,
  limits: Limits | null,
): Promise<void> {
  const params = { ...paramsOf(tenant, target), type }
  const changed =
    limits === null
      ? await call(notificationTargetsApi.removeRule, { params })
      : await call(notificationTargetsApi.setRule, {
          params,
          body: {
            ...(limits.projects.length === 0 ? {} : { projects: [...limits.projects] }),
            ...(limits.tags.length === 0 ? {} : { tags: [...limits.tags] }),
          },
        })
  keep(tenant, changed)
}

export async function updateTarget(
  tenant: string,
  target: string,
  body: Input<typeof notificationTargetsApi.update>['body'],
): Promise<void> {
  keep(tenant, await call(notificationTargetsApi.update, { params: paramsOf(tenant, target), body }))
}

export async function addChat(
  tenant: string,
  body: Input<typeof notificationTargetsApi.create>['body'],
): Promise<void> {
  await call(notificationTargetsApi.create, { params: { tenant_slug: tenant }, body })
  await reread(tenant)
}

export async function removeChat(tenant: string, target: string): Promise<void> {
  await call(notificationTargetsApi.remove, { params: paramsOf(tenant, target) })
  await reread(tenant)
}

/** Sends a test message, says what came of it, and reads the last result again. */
export async function tryTarget(tenant: string, { id, name }: NotificationTarget): Promise<void> {
  await saying(async () => {
    const { sent, message } = await call(notificationTargetsApi.test, { params: paramsOf(tenant, id) })
    showMessage({ title: name, detail: message, isError: !sent })
    await reread(tenant)
  })
}

/** Does what one click does; what goes wrong is said in a message. */
export async function saying(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    showMessage({ title: 'That was not saved', detail, isError: true })
  }
}

/** What a rule is limited to, in a few words. */
export function limitsText({ projects, tags }: Pick<NotificationRule, 'projects' | 'tags'>): string {
  if (projects === null && tags === null) return 'all projects'
  return [...(projects ?? []).map(({ name }) => name), ...(tags ?? []).map((tag) => `#${tag}`)].join(', ')
}
