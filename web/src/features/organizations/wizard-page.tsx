import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { onboardingApi, type WizardState, type WizardStep, wizardSteps } from '../../../../src/api/onboarding.ts'
import { call } from '../../call.ts'
import { buttonClass } from '../../parts/button.tsx'
import { SlugField } from '../../parts/fields.tsx'
import { CheckField, Field, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { slugOf } from '../../parts/text.ts'
import { Failure } from '../../parts/states.tsx'
import { refreshIdentity } from '../../session.ts'
import { type Entered, saveWizard, wizardQuery } from './queries.ts'

const names = { organization: 'Organization', summary: 'Summary', done: 'Done' } as const
const shownSteps = ['organization', 'summary', 'done'] as const

const Progress = ({ step: saved }: { step: WizardStep }) => {
  // The first step asks for the name at once.
  const step = saved === 'welcome' ? 'organization' : saved
  const at = shownSteps.indexOf(step)
  return (
    <ol aria-label="Steps" className="grid grid-cols-3 gap-2 text-sm">
      {shownSteps.map((title, index) => (
        <li
          key={title}
          aria-current={title === step ? 'step' : undefined}
          className={`border-t-4 pt-1.5 ${index <= at ? 'border-accent' : 'border-line'} ${title === step ? 'font-semibold text-accent' : 'text-soft'}`}
        >
          {index + 1}. <span className="max-sm:block">{names[title]}</span>
        </li>
      ))}
    </ol>
  )
}

/** One step: its heading gets the focus when the step changes. */
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

const Organization = ({ entered, onNext }: { entered: Entered; onNext: (entered: Entered) => Promise<void> }) => {
  const form = useForm({ name: entered.name, slug: entered.slug }, onNext)
  return (
    <Form change={form} submit="Next">
      <p className="text-soft">An organization has its own projects, members and keys, separate from all others.</p>
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
          ['URL slug', slug || 'created from the name'],
          ['Your role', 'Owner'],
        ]}
      />
      <CheckField checked={sample} onChange={setSample}>
        Add a sample project
      </CheckField>
    </Form>
  )
}

const Created = ({ slug }: { slug: string }) => (
  <>
    <p role="status">You are the Owner. Next, import a document or create an API key for a pipeline.</p>
    <div className="flex flex-wrap gap-3">
      <Link to="/t/$tenant/-/home" params={{ tenant: slug }} className={buttonClass('primary')}>
        Go to the home page
      </Link>
      <Link to="/t/$tenant/-/keys" params={{ tenant: slug }} search={{ dialog: 'new' }} className={buttonClass()}>
        Create an API key
      </Link>
    </div>
  </>
)

const Unfinished = ({ onDiscard }: { onDiscard: () => Promise<void> }) => {
  const discard = useMutation({ scope: { id: useId() }, mutationFn: onDiscard })
  return (
    <div className="grid gap-3 text-sm text-soft">
      <p>
        You have an unfinished setup.{' '}
        <button type="button" className="link" onClick={() => discard.mutate()}>
          Discard
        </button>
      </p>
      {discard.error ? <Failure error={discard.error} /> : null}
    </div>
  )
}

/** The step to show: the one of the address, else the one that was saved; never one that needs a name before there is one. */
const stepOf = (asked: string | undefined, saved: WizardState | null, { name }: Entered): WizardStep => {
  const step = wizardSteps.find((it) => it === (asked ?? saved?.step) && it !== 'done') ?? 'welcome'
  return step === 'summary' && name === '' ? 'organization' : step
}

const Steps = ({ saved, asked }: { saved: WizardState | null; asked: string | undefined }) => {
  const navigate = useNavigate()
  const [entered, setEntered] = useState<Entered>({ name: saved?.org_name ?? '', slug: saved?.slug ?? '' })
  const [made, setMade] = useState('')
  const step = made === '' ? stepOf(asked, saved, entered) : 'done'
  // Each step is an entry of the history: Back leads to the step before, not out of the wizard.
  const move = async (to: WizardStep, event: 'reached' | null, given = entered): Promise<void> => {
    await saveWizard(to, given, event)
    setEntered(given)
    await navigate({ to: '/new-tenant', search: { step: to } })
  }
  const discard = async (): Promise<void> => {
    await saveWizard(step, entered, 'abandoned')
    await call(onboardingApi.clearWizard, {})
    await navigate({ to: '/' })
  }
  const forward = async (given: Entered): Promise<void> => {
    // Naming it is a step of its own, which the first page begins with.
    if (step === 'welcome') await saveWizard('organization', given, 'reached')
    await move('summary', 'reached', given)
  }
  const naming = ['Name your organization', <Organization entered={entered} onNext={forward} />] as const
  const shown: Record<WizardStep, readonly [title: string, content: ReactNode]> = {
    welcome: naming,
    organization: naming,
    summary: ['Review', <Summary entered={entered} onBack={() => move('organization', null)} onMade={setMade} />],
    done: [`${entered.name} is ready`, <Created slug={made} />],
  }
  const [title, content] = shown[step]
  return (
    <div className="grid max-w-xl gap-5">
      <Progress step={step} />
      <Step key={step} title={title}>
        {content}
      </Step>
      {saved !== null && step !== 'done' ? <Unfinished onDiscard={discard} /> : null}
    </div>
  )
}

/** Creates an organization step by step; continues where it was left. `step` is the step of the address. */
export const WizardPage = ({ step }: { step: string | undefined }) => {
  const wizard = useQuery({ ...wizardQuery, refetchOnWindowFocus: false })
  return (
    <Page title="Create an organization">
      <Read query={wizard} what="your progress">
        {(saved) => <Steps saved={saved} asked={step} />}
      </Read>
    </Page>
  )
}
