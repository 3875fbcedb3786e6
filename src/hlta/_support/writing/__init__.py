"""Everything that the package writes: files and folders that appear only once they are complete.

What is written is first a draft beside its target, in a hidden folder of its own that is locked while
it is in use (`drafts`). Once the draft is complete and on the disk, it takes the place of the target
by one system call. A process that is killed leaves the target old or new, and perhaps a draft, which
the next one that writes the same target clears. All that changes anything on the disk goes through
the few functions of `system`.
"""
