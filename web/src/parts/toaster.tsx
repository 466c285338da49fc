import { Toast as Base } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from './button.tsx'
import { onMessage, takeMessages, type Toast } from './toast.ts'

/** Long enough to read it and to reach the button; it waits while it is pointed at or has the focus. */
const shownMs = 15_000

const failed = (error: unknown): Toast => ({
  title: 'That did not work',
  detail: error instanceof Error ? error.message : String(error),
  isError: true,
})

const List = () => {
  const { toasts, add, close } = Base.useToastManager<{ isError: boolean }>()
  useEffect(() => {
    const show = ({ title, detail, action, isError = false }: Toast): void => {
      const id = add({
        title,
        description: detail,
        timeout: shownMs,
        data: { isError },
        ...(action && {
          actionProps: {
            children: action.name,
            onClick: () => {
              close(id)
              void action.run().then(show, (error: unknown) => show(failed(error)))
            },
          },
        }),
      })
    }
    const drain = (): void => takeMessages().forEach(show)
    drain()
    return onMessage(drain)
  }, [add, close])
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right']}
      className={`float flex items-center gap-3 border border-transparent py-2.5 pr-2 pl-4 data-ending-style:opacity-0 ${toast.data?.isError ? 'border-danger' : ''}`}
    >
      <Base.Content className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
          <Base.Title className={`text-sm font-medium wrap-anywhere ${toast.data?.isError ? 'text-danger' : ''}`} />
          <Base.Description className="text-sm text-pretty wrap-anywhere text-soft" />
        </div>
        {toast.actionProps ? <Base.Action className={buttonClass()} /> : null}
      </Base.Content>
      <Base.Close
        aria-label="Close"
        className="inline-flex size-9 shrink-0 items-center justify-center self-start rounded-lg text-soft hover:bg-raised hover:text-ink"
      >
        <X size={16} aria-hidden="true" />
      </Base.Close>
    </Base.Root>
  ))
}

/** Where messages appear; F6 moves the focus there. */
export const Toaster = () => (
  <Base.Provider limit={3}>
    <Base.Portal>
      <Base.Viewport
        aria-label="Messages"
        className="fixed right-4 bottom-4 left-4 z-50 grid gap-2 outline-none sm:left-auto sm:w-96 print:hidden"
      >
        <List />
      </Base.Viewport>
    </Base.Portal>
  </Base.Provider>
)
