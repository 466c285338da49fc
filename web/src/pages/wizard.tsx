import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { onboardingApi, type WizardState, type WizardStep, wizardSteps } from '../../../src/api/onboarding.ts'
import { call } from '../call.ts'
import { Button, buttonClass } from '../parts/button.tsx'
import { Field, Form, useChange } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { queryClient } from '../queries.ts'
import { identityQuery } from '../session.ts'

const wizardQuery = queryOptions({
  queryKey: ['wizard'],
  // 204, nothing saved, is null here.
  queryFn: async (): Promise<WizardState | null> => call(onboardingApi.wizard, {}),
  gcTime: 0,
})

const names: Record<WizardStep, string> = {
  welcome: 'Welcome',
  organization: 'Organization',
  summary: 'Summary',
  done: 'Done',
}

const Progress = ({ step }: { step: WizardStep }) => (
  <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
    {wizardSteps.map((it, index) => (
      <li
        key={it}
        aria-current={it === step ? 'step' : undefined}
        className={it === step ? 'font-semibold text-accent' : 'text-soft'}
      >
        {index + 1}. {names[it]}
      </li>
    ))}
  </ol>
)

interface Entered {
  readonly name: string
  readonly slug: string
}

/** Keeps where the wizard stands. Going on is counted, going back is not, so no step counts twice. */
const save = (step: WizardStep, { name, slug }: Entered, event: 'reached' | 'completed' | null): Promise<unknown> =>
  call(onboardingApi.saveWizard, {
    body: { step, org_name: name || null, slug: slug || null, ...(event === null ? {} : { event }) },
  })

const Organization = ({
  entered,
  onChange,
  onBack,
  onNext,
}: {
  entered: Entered
  onChange: (entered: Entered) => void
  onBack: () => Promise<void>
  onNext: () => Promise<void>
}) => {
  const change = useChange(onNext)
  return (
    <Form
      onSubmit={() => void change.run()}
      error={change.error}
      actions={
        <>
          <Button type="submit" look="primary" busy={change.busy}>
            Next
          </Button>
          <Button onClick={() => void onBack()}>Back</Button>
        </>
      }
    >
      <Field
        label="Name of the organization"
        required
        maxLength={200}
        autoFocus
        value={entered.name}
        onChange={(event) => onChange({ ...entered, name: event.target.value })}
      />
      <Field
        label="Word for addresses (optional)"
        hint="Lower-case letters, digits and hyphens. Made from the name when left empty; it cannot be changed later."
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        value={entered.slug}
        onChange={(event) => onChange({ ...entered, slug: event.target.value })}
      />
    </Form>
  )
}

const Summary = ({
  entered,
  onBack,
  onMade,
}: {
  entered: Entered
  onBack: () => Promise<void>
  onMade: (slug: string) => void
}) => {
  const [sample, setSample] = useState(true)
  const change = useChange(async () => {
    const made = await call(onboardingApi.firstTenant, {
      body: { name: entered.name, slug: entered.slug || null, provision_sample_project: sample },
    })
    // The tenant stands; what follows only tidies up and must not look like a failure of it.
    await save('done', entered, 'completed').catch(() => {})
    await call(onboardingApi.clearWizard, {}).catch(() => {})
    await queryClient.invalidateQueries({ queryKey: identityQuery.queryKey })
    onMade(made.tenant.slug)
  })
  return (
    <Form
      onSubmit={() => void change.run()}
      error={change.error}
      actions={
        <>
          <Button type="submit" look="primary" busy={change.busy}>
            Make the tenant
          </Button>
          <Button onClick={() => void onBack()}>Back</Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-soft">Name</dt>
        <dd>{entered.name}</dd>
        <dt className="text-soft">Word for addresses</dt>
        <dd>{entered.slug || 'made from the name'}</dd>
      </dl>
      <label className="flex items-baseline gap-2">
        <input type="checkbox" checked={sample} onChange={(event) => setSample(event.target.checked)} />
        Put the sample project into it, to have something to look at
      </label>
    </Form>
  )
}

const Steps = ({ saved }: { saved: WizardState | null }) => {
  const known = wizardSteps.find((it) => it === saved?.step && it !== 'done')
  const [step, setStep] = useState<WizardStep>(known ?? 'welcome')
  const [entered, setEntered] = useState<Entered>({ name: saved?.org_name ?? '', slug: saved?.slug ?? '' })
  const [made, setMade] = useState('')
  const move = async (to: WizardStep, event: 'reached' | null): Promise<void> => {
    await save(to, entered, event)
    setStep(to)
  }
  const start = useChange(() => move('organization', 'reached'))
  return (
    <div className="grid max-w-xl gap-5">
      <Progress step={step} />
      <div className="card grid gap-4 p-6">
        {step === 'welcome' ? (
          <>
            <p>
              A tenant holds the projects, members and keys of one organization, apart from every other one. It takes
              two answers; you can leave and come back to where you were.
            </p>
            {start.error ? <Failure error={start.error} /> : null}
            <div>
              <Button look="primary" busy={start.busy} onClick={() => void start.run()}>
                Start
              </Button>
            </div>
          </>
        ) : step === 'organization' ? (
          <Organization
            entered={entered}
            onChange={setEntered}
            onBack={() => move('welcome', null)}
            onNext={() => move('summary', 'reached')}
          />
        ) : step === 'summary' ? (
          <Summary
            entered={entered}
            onBack={() => move('organization', null)}
            onMade={(slug) => {
              setMade(slug)
              setStep('done')
            }}
          />
        ) : (
          <>
            <p role="status">{entered.name} is ready and you are its Owner.</p>
            <div>
              <Link to="/t/$tenant" params={{ tenant: made }} className={buttonClass('primary')}>
                Go to its projects
              </Link>
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** From an account to a tenant of one's own; resumed where it was left. */
export const WizardPage = () => {
  const wizard = useQuery(wizardQuery)
  return (
    <Page title="Make a tenant">
      {wizard.isError ? (
        <Failure error={wizard.error} onRetry={() => void wizard.refetch()} />
      ) : wizard.data === undefined ? (
        <Loading what="where you were" />
      ) : (
        <Steps saved={wizard.data} />
      )}
    </Page>
  )
}
