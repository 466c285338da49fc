import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { onboardingApi, type WizardState, type WizardStep, wizardSteps } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { SlugField } from '../../parts/fields.tsx'
import { CheckField, Field, Form, useChange, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { refreshIdentity } from '../../session.ts'
import { type Entered, saveWizard, wizardQuery } from './queries.ts'

const names: Record<WizardStep, string> = {
  welcome: 'Welcome',
  organization: 'Organization',
  summary: 'Summary',
  done: 'Done',
}

const Progress = ({ step }: { step: WizardStep }) => {
  const at = wizardSteps.indexOf(step)
  return (
    <ol aria-label="Steps" className="grid grid-cols-4 gap-2 text-sm">
      {wizardSteps.map((it, index) => (
        <li
          key={it}
          aria-current={it === step ? 'step' : undefined}
          className={`border-t-4 pt-1.5 ${index <= at ? 'border-accent' : 'border-line'} ${it === step ? 'font-semibold text-accent' : 'text-soft'}`}
        >
          {index + 1}. <span className="max-sm:block">{names[it]}</span>
        </li>
      ))}
    </ol>
  )
}

/** One step: its heading is where reading goes on when the step changes. */
const Step = ({ title, children }: { title: string; children: ReactNode }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A field that asks for the focus of its own keeps it.
    if (!heading.current?.parentElement?.contains(document.activeElement)) heading.current?.focus()
  }, [])
  return (
    <div className="card grid gap-4 p-6">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {title}
      </h2>
      {children}
    </div>
  )
}

const Organization = ({
  entered,
  onBack,
  onNext,
}: {
  entered: Entered
  onBack: (entered: Entered) => Promise<void>
  onNext: (entered: Entered) => Promise<void>
}) => {
  const form = useForm({ name: entered.name, slug: entered.slug }, onNext)
  return (
    <Form change={form} submit="Next" cancel="Back" onCancel={() => void onBack(form.values)}>
      <Field
        label="Name of the organization"
        required
        maxLength={200}
        autoFocus
        autoComplete="organization"
        {...form.bind('name', 'org_name')}
      />
      <SlugField {...form.bind('slug')} />
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
    await saveWizard('done', entered, 'completed').catch(() => {})
    await call(onboardingApi.clearWizard, {}).catch(() => {})
    await refreshIdentity()
    onMade(made.tenant.slug)
  })
  return (
    <Form change={change} submit="Make the tenant" cancel="Back" onCancel={() => void onBack()}>
      <Facts
        facts={[
          ['Name', entered.name],
          ['Word for addresses', entered.slug || 'made from the name'],
          ['Your role', 'Owner'],
        ]}
      />
      <CheckField checked={sample} onChange={setSample}>
        Put the sample project into it, to have something to look at
      </CheckField>
    </Form>
  )
}

const Steps = ({ saved }: { saved: WizardState | null }) => {
  const navigate = useNavigate()
  const known = wizardSteps.find((it) => it === saved?.step && it !== 'done')
  const [step, setStep] = useState<WizardStep>(known ?? 'welcome')
  const [entered, setEntered] = useState<Entered>({ name: saved?.org_name ?? '', slug: saved?.slug ?? '' })
  const [made, setMade] = useState('')
  const move = async (to: WizardStep, event: 'reached' | null, given = entered): Promise<void> => {
    await saveWizard(to, given, event)
    setEntered(given)
    setStep(to)
  }
  const start = useChange(() => move('organization', 'reached'))
  const abandon = useChange(async () => {
    await saveWizard(step, entered, 'abandoned')
    await call(onboardingApi.clearWizard, {})
    await navigate({ to: '/' })
  })
  const shown: Record<WizardStep, ReactNode> = {
    welcome: (
      <Step key="welcome" title="One tenant for one organization">
        <p>
          A tenant holds the projects, members and keys of one organization, apart from every other one. It takes two
          answers; you can leave and come back to where you were.
        </p>
        {start.error ? <Failure error={start.error} /> : null}
        <div>
          <Button look="primary" busy={start.busy} onClick={() => void start.run()}>
            Start
          </Button>
        </div>
      </Step>
    ),
    organization: (
      <Step key="organization" title="What is it called?">
        <Organization
          entered={entered}
          onBack={(given) => move('welcome', null, given)}
          onNext={(given) => move('summary', 'reached', given)}
        />
      </Step>
    ),
    summary: (
      <Step key="summary" title="Is this right?">
        <Summary
          entered={entered}
          onBack={() => move('organization', null)}
          onMade={(slug) => {
            setMade(slug)
            setStep('done')
          }}
        />
      </Step>
    ),
    done: (
      <Step key="done" title={`${entered.name} is ready`}>
        <p role="status">You are its Owner. Import a document next, or make a key for a pipeline.</p>
        <div className="flex flex-wrap gap-3">
          <Link to="/t/$tenant" params={{ tenant: made }} className={buttonClass('primary')}>
            Go to its projects
          </Link>
          <Link to="/t/$tenant/-/keys" params={{ tenant: made }} search={{ dialog: 'new' }} className={buttonClass()}>
            Create an API key
          </Link>
        </div>
      </Step>
    ),
  }
  return (
    <div className="grid max-w-xl gap-5">
      <Progress step={step} />
      {shown[step]}
      {saved !== null && step !== 'done' ? (
        <div className="grid gap-3 text-sm text-soft">
          <p>
            You were here before.{' '}
            <button type="button" className="link" onClick={() => void abandon.run()}>
              Give it up
            </button>
          </p>
          {abandon.error ? <Failure error={abandon.error} /> : null}
        </div>
      ) : null}
    </div>
  )
}

/** From an account to a tenant of one's own; resumed where it was left. */
export const WizardPage = () => {
  const wizard = useQuery({ ...wizardQuery, refetchOnWindowFocus: false })
  return (
    <Page title="Make a tenant">
      <Read query={wizard} what="where you were">
        {(saved) => <Steps saved={saved} />}
      </Read>
    </Page>
  )
}
