import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useEffect, useRef, useState, type ReactNode } from 'react'
import { onboardingApi, type WizardState, type WizardStep, wizardSteps } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { SlugField } from '../../parts/fields.tsx'
import { CheckField, Field, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { slugOf } from '../../parts/slug.ts'
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
  const slug = entered.slug || slugOf(entered.name)
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const made = await call(onboardingApi.firstTenant, {
        body: { name: entered.name, slug: slug || null, provision_sample_project: sample },
      })
      // The organization exists; what follows only tidies up, and its failure must not look like one of this.
      await saveWizard('done', entered, 'completed').catch(() => {})
      await call(onboardingApi.clearWizard, {}).catch(() => {})
      await refreshIdentity()
      onMade(made.tenant.slug)
    },
  })
  return (
    <Form change={change} submit="Create the organization" cancel="Back" onCancel={() => void onBack()}>
      <Facts
        facts={[
          ['Name', entered.name],
          ['URL slug', slug || 'made from the name'],
          ['Your role', 'Owner'],
        ]}
      />
      <CheckField checked={sample} onChange={setSample}>
        Add a sample project
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
  const start = useMutation({ scope: { id: useId() }, mutationFn: () => move('organization', 'reached') })
  const abandon = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await saveWizard(step, entered, 'abandoned')
      await call(onboardingApi.clearWizard, {})
      await navigate({ to: '/' })
    },
  })
  const shown: Record<WizardStep, ReactNode> = {
    welcome: (
      <Step key="welcome" title="Create your organization">
        <p>
          An organization has its own projects, members and keys, separate from all others. Two questions. Your progress
          is saved.
        </p>
        {start.error ? <Failure error={start.error} /> : null}
        <div>
          <Button look="primary" busy={start.isPending} onClick={() => start.mutate()}>
            Start
          </Button>
        </div>
      </Step>
    ),
    organization: (
      <Step key="organization" title="Name your organization">
        <Organization
          entered={entered}
          onBack={(given) => move('welcome', null, given)}
          onNext={(given) => move('summary', 'reached', given)}
        />
      </Step>
    ),
    summary: (
      <Step key="summary" title="Review">
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
        <p role="status">You are the Owner. Next, import a document or create an API key for a pipeline.</p>
        <div className="flex flex-wrap gap-3">
          <Link to="/t/$tenant" params={{ tenant: made }} className={buttonClass('primary')}>
            Go to projects
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
            You have an unfinished setup.{' '}
            <button type="button" className="link" onClick={() => abandon.mutate()}>
              Discard
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
    <Page title="Create an organization">
      <Read query={wizard} what="your progress">
        {(saved) => <Steps saved={saved} />}
      </Read>
    </Page>
  )
}
