import { useState } from 'react'
import { webhookEventTypes, type WebhookEventType } from '../../../../src/api/webhook-events.ts'
import type { Subscription } from '../../../../src/api/webhooks.ts'
import { CheckField, RadioField } from '../../parts/form.tsx'
import { ProjectsChoice } from '../catalog/pickers.tsx'
import { type Severity, severities } from './words.ts'

/** The types that can be chosen: a test is always sent. */
export const chosenTypes = webhookEventTypes.filter((it) => it !== 'webhook.test')

/** What a form chooses of the events. */
export interface EventChoices {
  readonly severity: Severity
  /** Null: all. */
  readonly eventTypes: readonly WebhookEventType[] | null
  /** Slugs; null: all events. */
  readonly projects: readonly string[] | null
  readonly keepAnswers: boolean
}

/** What a subscription has; of a new one nothing is limited. */
export const useEventChoices = (of: Subscription | null) => {
  const [given, set] = useState<EventChoices>({
    severity: of?.minSeverity ?? 'all',
    eventTypes: of?.eventTypes ?? null,
    projects: of?.projects?.map(({ slug }) => slug) ?? null,
    keepAnswers: of?.keepAnswers ?? false,
  })
  return { given, change: (changed: Partial<EventChoices>) => set((before) => ({ ...before, ...changed })) }
}

/** The choices as the service takes them: nothing chosen means that nothing is limited. */
export const bodyOfChoices = ({ severity, eventTypes, projects, keepAnswers }: EventChoices) => ({
  minSeverity: severity === 'all' ? null : severity,
  eventTypes: eventTypes === null || eventTypes.length === 0 ? null : [...eventTypes],
  projects: projects === null || projects.length === 0 ? null : [...projects],
  keepAnswers,
})

/** What a new subscription is limited to: nothing is said of the rest. */
export const limitsOf = (given: EventChoices) => {
  const { minSeverity, eventTypes, projects, keepAnswers } = bodyOfChoices(given)
  return {
    minSeverity,
    ...(eventTypes === null ? {} : { eventTypes }),
    ...(projects === null ? {} : { projects }),
    ...(keepAnswers ? { keepAnswers } : {}),
  }
}

const TypesField = ({ given, change }: ReturnType<typeof useEventChoices>) => (
  <>
    <RadioField
      legend="Events"
      value={given.eventTypes === null ? 'all' : 'some'}
      options={[
        { value: 'all', name: 'All types', detail: 'Also those that a later version of svc adds.' },
        { value: 'some', name: 'Chosen types' },
      ]}
      onChange={(value) => change({ eventTypes: value === 'all' ? null : ['version.published'] })}
    />
    {given.eventTypes === null ? null : (
      <fieldset className="grid gap-1 rounded-lg border px-3 py-2 sm:grid-cols-2">
        <legend className="sr-only">Types of events</legend>
        {chosenTypes.map((type) => (
          <CheckField
            key={type}
            checked={given.eventTypes?.includes(type) === true}
            onChange={(on) =>
              change({ eventTypes: chosenTypes.filter((it) => (it === type ? on : given.eventTypes?.includes(it))) })
            }
          >
            <span className="font-mono text-xs">{type}</span>
          </CheckField>
        ))}
      </fieldset>
    )}
  </>
)

/** Which events a subscription receives, and whether answers are kept. */
export const EventFields = ({ tenant, of }: { tenant: string; of: ReturnType<typeof useEventChoices> }) => {
  const { given, change } = of
  const hasPublications = given.eventTypes === null || given.eventTypes.includes('version.published')
  return (
    <>
      <TypesField {...of} />
      {hasPublications ? (
        <RadioField
          legend="Publications"
          value={given.severity}
          options={severities}
          onChange={(severity) => change({ severity })}
        />
      ) : null}
      <RadioField
        legend="Projects"
        value={given.projects === null ? 'all' : 'some'}
        options={[
          { value: 'all', name: 'All events', detail: 'Also those of no project, such as of gateways.' },
          { value: 'some', name: 'Only events of chosen projects' },
        ]}
        onChange={(value) => change({ projects: value === 'all' ? null : [] })}
      />
      {given.projects === null ? null : (
        <ProjectsChoice
          tenant={tenant}
          label="Project"
          chosen={given.projects}
          onChange={(projects) => change({ projects })}
        />
      )}
      <CheckField checked={given.keepAnswers} onChange={(keepAnswers) => change({ keepAnswers })}>
        Keep the first 2,000 bytes of what the receiver answers
      </CheckField>
    </>
  )
}
