import { Dialog } from '@base-ui/react/dialog'
import { later } from '../parts/later.tsx'

const Search = later('the search', async () => (await import('./palette-search.tsx')).PaletteSearch)

/** The command palette: Ctrl K or ⌘ K, type, Enter. */
export const Palette = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-[8vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1rem))] -translate-x-1/2 overflow-hidden shadow-2xl sm:top-[12vh]">
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Search onDone={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
