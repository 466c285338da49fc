import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { type FirstSteps as Steps, homeApi } from '../../../../src/api/home.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { shellWord, Snippet } from '../../parts/copy.tsx'
import { Failure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { refreshProjects } from '../catalog/projects.ts'

const dismissedKey = (tenant: string): string => `svc first steps ${tenant}`

const remembered = (tenant: string): boolean => {
  try {
    return localStorage.getItem(dismissedKey(tenant)) !== null
  } catch {
    // Storage is switched off.
    return false
  }
}

const remember = (tenant: string): void => {
  try {
    localStorage.setItem(dismissedKey(tenant), 'yes')
  } catch {
    // It comes back with the next visit.
  }
}

const SampleButton = ({ tenant }: { tenant: string }) => {
  const navigate = useNavigate()
  const add = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const { project_slug: project } = await call(homeApi.sample, { params: { tenant_slug: tenant } })
      await refreshProjects(tenant)
      await queryClient.invalidateQueries({ queryKey: ['home', tenant] })
      await navigate({ to: '/t/$tenant/$project', params: { tenant, project } })
    },
  })
  return (
    <>
      <Button busy={add.isPending} onClick={() => add.mutate()}>
        {add.isPending ? 'Importing the sample …' : 'Add the sample project'}
      </Button>
      {add.error ? <Failure error={add.error} /> : null}
    </>
  )
}

interface Step {
  readonly done: boolean
  readonly title: string
  readonly detail: ReactNode
  /** What leads to where it is done. */
  readonly way: ReactNode
}

const markLook = (done: boolean, open: boolean): string => {
  if (done) return 'border-transparent bg-ok-wash text-ok'
  return open ? 'border-accent text-accent' : 'border-edge text-soft'
}

const StepRow = ({
  step: { done, title, detail, way },
  number,
  open,
}: {
  step: Step
  number: number
  open: boolean
}) => (
  <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 px-4 py-1.5" aria-current={open ? 'step' : undefined}>
    <span
      className={`flex size-6 items-center justify-center rounded-full border text-xs font-semibold ${markLook(done, open)}`}
    >
      {done ? <Check size={14} aria-hidden="true" /> : <span aria-hidden="true">{number}</span>}
      <span className="sr-only">{done ? 'Done: ' : 'To do: '}</span>
    </span>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <p className={open ? 'font-medium' : 'text-sm text-soft'}>{title}</p>
      {open ? (
        <>
          <div className="text-sm text-soft">{detail}</div>
          <div className="flex flex-wrap items-center gap-3">{way}</div>
        </>
      ) : null}
    </div>
  </li>
)

const link = 'link text-sm font-medium'

/** Importing, choosing a style guide and publishing: what an organization begins with. */
const firstHalf = (tenant: string, steps: Steps, hasSample: boolean): readonly Step[] => {
  const params = { tenant }
  return [
    {
      done: steps.imported,
      title: 'Import a document',
      detail:
        'Drop OpenAPI, Swagger, Arazzo, JSON Schema or an MCP manifest; grade and findings are shown before anything is stored.',
      way: (
        <>
          <Link to="/t/$tenant/-/import" params={params} className={link}>
            Import a document
          </Link>
          {hasSample ? (
            <Link to="/t/$tenant/$project" params={{ tenant, project: 'bookshop' }} className={link}>
              Look at the sample project
            </Link>
          ) : (
            <SampleButton tenant={tenant} />
          )}
        </>
      ),
    },
    {
      done: steps.guided,
      title: 'Choose a style guide',
      detail: 'It decides the grade and the gates of publishing. Make one the default, or assign one to a project.',
      way: (
        <Link to="/t/$tenant/-/style-guides" params={params} className={link}>
          Style guides
        </Link>
      ),
    },
    {
      done: steps.published,
      title: 'Publish a version',
      detail: 'A published version is what later versions are compared with.',
      way: (
        <Link to="/t/$tenant" params={params} search={{ draft: 'yes' }} className={link}>
          Projects with a draft
        </Link>
      ),
    },
  ]
}

/** Consumers, and the gate in CI. */
const secondHalf = (tenant: string, steps: Steps): readonly Step[] => {
  const params = { tenant }
  return [
    {
      done: steps.consumed,
      title: 'Register a consumer',
      detail:
        'A consumer declares the operations and fields that it uses, so that comparisons show whether it is affected. Open a project, then Consumers.',
      way: (
        <Link to="/t/$tenant" params={params} className={link}>
          Projects
        </Link>
      ),
    },
    {
      done: steps.keyed,
      title: 'Create a key for CI',
      detail: 'Choose the least access that the pipeline needs.',
      way: (
        <Link to="/t/$tenant/-/keys" params={params} search={{ dialog: 'new' }} className={link}>
          Create an API key
        </Link>
      ),
    },
    {
      done: steps.gated,
      title: 'Put the gate into the pipeline',
      detail: (
        <div className="grid gap-1.5">
          <p>The job fails if a change breaks the published version. This step is done when the key has been used.</p>
          <Snippet
            what="the commands of the gate"
            text={`export SVC_API_KEY=…  # the secret of the pipeline\nsvc --base-url ${location.origin} --tenant ${shellWord(tenant)} diff PROJECT@latest openapi.yaml --fail-on breaking`}
          />
        </div>
      ),
      way: null,
    },
  ]
}

const stepsOf = (tenant: string, steps: Steps, hasSample: boolean): readonly Step[] => [
  ...firstHalf(tenant, steps, hasSample),
  ...secondHalf(tenant, steps),
]

/**
 * The way from an empty organization to a gate in CI, in one row with the next step; all steps are below it on request. Nothing once all
 * is done or it was dismissed.
 */
export const FirstSteps = ({ tenant, steps, hasSample }: { tenant: string; steps: Steps; hasSample: boolean }) => {
  const [isDismissed, setDismissed] = useState(() => remembered(tenant))
  const list = stepsOf(tenant, steps, hasSample)
  const done = list.filter((it) => it.done).length
  // Nobody knows the way yet who has not gone a step of it.
  const [isOpen, setOpen] = useState(done === 0)
  const next = list.findIndex((it) => !it.done)
  const step = list[next]
  if (isDismissed || step === undefined) return null
  return (
    <section aria-label="First steps" className="card grid grid-cols-[minmax(0,1fr)]">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <h2 className="font-semibold">First steps</h2>
        <span className="text-sm text-soft">
          {done} of {list.length} done
        </span>
        {isOpen ? null : <span className="text-sm">Next: {step.title}</span>}
        <span className="grow" />
        {isOpen ? null : step.way}
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : 'All steps'}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            remember(tenant)
            setDismissed(true)
          }}
        >
          Dismiss
        </Button>
      </div>
      {isOpen ? (
        <ol className="border-t py-1">
          {list.map((it, index) => (
            <StepRow key={it.title} step={it} number={index + 1} open={index === next} />
          ))}
        </ol>
      ) : null}
    </section>
  )
}
