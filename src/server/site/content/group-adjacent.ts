/** Replaces each run of adjacent members of a list by its group. All other items stay. */
export function groupAdjacent<Item, Member extends Item>(
  items: readonly Item[],
  isMember: (item: Item) => item is Member,
  toGroup: (members: Member[]) => readonly Item[],
): Item[] {
  let members: Member[] = [];
  return items.flatMap((item, index) => {
    if (!isMember(item)) return [item];
    members.push(item);
    const next = items[index + 1];
    if (next !== undefined && isMember(next)) return [];
    const group = toGroup(members);
    members = [];
    return group;
  });
}
