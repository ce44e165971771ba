/** Replaces each run of adjacent members of a list by its group. All other items stay. */
export function groupAdjacent<Item, Member extends Item>(
  items: readonly Item[],
  isMember: (item: Item) => item is Member,
  toGroup: (members: Member[]) => readonly Item[],
): Item[] {
  const grouped: Item[] = [];
  let members: Member[] = [];
  const endGroup = () => {
    if (members.length > 0) grouped.push(...toGroup(members));
    members = [];
  };
  for (const item of items) {
    if (isMember(item)) members.push(item);
    else {
      endGroup();
      grouped.push(item);
    }
  }
  endGroup();
  return grouped;
}
