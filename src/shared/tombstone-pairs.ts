// Owns the evaluation set of tombstones: invented facts, each with five rewordings that say the same and five near misses that do not. Test data.

export interface PairsOfFact {
  fact: string;
  rewordings: readonly [string, string, string, string, string];
  /** Another person, another value, another number or day, the opposite, another relation. */
  nearMisses: readonly [string, string, string, string, string];
}

const facts = (text: string): PairsOfFact[] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split("\n").map((line) => line.trim());
      const of = (sign: string): string[] => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
      return { fact: lines[0]!, rewordings: of("="), nearMisses: of("#") } as unknown as PairsOfFact;
    });

export const TOMBSTONE_PAIRS: readonly PairsOfFact[] = facts(`
Lives with her brother in Porto
= In Porto she lives with her brother
= She is living in Porto with a brother
= lives with her brother in porto, near the river
= Her brother and she live in Porto
= Shares a flat in Porto with her sibling
# Lives with her sister in Porto
# Lives with her brother in Braga
# Lives with Anna in Porto
# Does not live with her brother in Porto
# Visits her brother in Porto

Works as a plumber at Kettle & Sons
= Is working as a plumber at Kettle & Sons
= Plumber, works at Kettle & Sons
= At Kettle & Sons he worked as a plumber
= kettle & sons: works there as a plumber since spring
= Employed by Kettle & Sons to do the plumbing
# Works as a plumber at Lantern & Sons
# Works as a painter at Kettle & Daughters
# Never worked as a plumber at Kettle & Sons
# Buys pipes at Kettle & Sons
# Works as a baker in Kettle Street

Takes 20 mg of Lorazan every evening
= Every evening takes 20 mg Lorazan
= Takes Lorazan, 20 mg, in the evenings
= Taking 20 mg of Lorazan each evening
= The doctor lets him take 20 mg of Lorazan every evening with water
= 20 mg Lorazan before bed
# Takes 40 mg of Lorazan every evening
# Takes 20 mg of Sertol every evening
# Takes 20 mg of Lorazan every morning
# No longer takes 20 mg of Lorazan every evening
# Gives the dog 5 mg of Lorazan every evening

Owes Idris 400 euros for the boat
= Owes 400 euros to Idris for the boat
= For the boat he owes Idris 400 euros
= Still owing Idris 400 euros for that boat
= idris is owed 400 euros for the boat
= Has a debt of 400 euros with Idris because of the boat
# Owes Wilma 400 euros for the boat
# Owes Idris 900 euros for the boat
# Owes Idris 400 euros for the roof of his house
# Does not owe Idris 400 euros for the boat
# Lent Idris the boat for 4 days

Was treated for depression in 2024
= Treated for depression in 2024
= In 2024 she was treated for a depression
= Had a treatment for depression in 2024
= was being treated for depression during 2024 at the clinic
= Saw a therapist in 2024 because she was depressed
# Was treated for pneumonia in 2024
# Was treated for depression in 2019
# Was not treated for depression in 2024
# Wrote an essay on depression in 2025
# Her aunt was treated for burns in 2024

Has a crush on Mei from the choir
= Has a crush on Mei, who is from the choir
= Mei from the choir is his crush
= HAS A CRUSH ON MEI FROM THE CHOIR!
= He had a crush on Mei of the choir
= Is in love with Mei, the alto of his choir
# Has a crush on Ruth from the choir
# Has a crush on Mei from the bakery opposite
# Has no crush on Mei from the choir
# Sang a duet with Mei at the choir
# Got a call from Mei about the choir

Drives a grey Volvo with a dent in the door
= Drives the grey Volvo that has a dent in its door
= His grey Volvo, which he drives, has a dented door
= drove a grey Volvo with dents in the door
= With a dent in the door, the grey Volvo is what he drives
= Car: old grey Volvo, door damaged
# Drives a grey Saab with a dent in the door
# Drives a red Volvo with a scratched roof
# Does not drive a grey Volvo with a dent in the door
# Paul drives a Volvo
# Sold a grey tractor with a dent in the door

Grew up on a farm near Tampere
= Growing up on a farm near Tampere
= Near Tampere, on a farm, is where she grew up
= Grew up near Tampere on the farm
= grew up on a farm near Tampere with four cats
= Spent her childhood at a farm outside Tampere
# Grew up on a farm near Vaasa
# Grew up in a tower block of Turku
# Never grew up on a farm near Tampere
# Bought a farm by a lake in Tampere county
# Grew potatoes on a farm last year

Plays chess with Hugo on Mondays
= On Mondays plays chess with Hugo
= Monday is chess with Hugo
= Hugo and she play chess on Mondays
= Playing chess with Hugo every Monday
= Meets Hugo at the start of each week for a game of chess
# Plays chess with Clara on Mondays
# Plays chess with Hugo on Fridays
# Plays darts with Hugo on Sundays
# Doesn't play chess with Hugo on Mondays
# Lost a chess book of Hugo's

Earns 5200 euros a month before tax
= Before tax, earns 5200 euros a month
= Earning 5200 euros per month before taxes
= Her month's earnings are 5200 euros before tax
= earns 5200 euros each month before tax at the mill
= Monthly gross pay: 5200 €
# Earns 4100 euros a month before tax
# Earns 5200 euros a year before tax
# Does not earn 5200 euros a month before tax
# Pays 5200 euros of tax
# Earns nothing this month

Is allergic to walnuts and shellfish
= Allergic to shellfish and walnuts
= Has allergies: walnuts, shellfish; allergic since school
= is allergic to a walnut and to shellfish
= Walnuts and shellfish make her allergic
= Cannot eat walnuts or shellfish, they make her ill
# Is allergic to hazelnuts and pollen
# Is not allergic to walnuts and shellfish
# Cooked shellfish with walnuts
# Is allergic to dust and cats
# Her son is allergic to penicillin

Keeps the spare key under the blue pot
= The spare key is kept under the blue pot
= Under the blue pot she keeps the spare key
= Keeping spare keys under a blue pot
= keeps her spare key under that blue pot by the gate
= The second key lies beneath the pot that is blue
# Keeps the spare key at the neighbour's bakery
# Keeps the spare wheel under the red bench
# Never keeps the spare key under the blue pot
# Painted the pot blue
# Keeps seeds in the green pot

Broke up with Jonas in May
= In May she broke up with Jonas
= Broke up with Jonas last May
= broke up with jonas, in may, after the trip
= She and Jonas broke up in May
= Left Jonas in the spring, it was May
# Broke up with Petra in May
# Broke up with Jonas in October
# Did not break up with Jonas in May
# Broke a vase with Jonas
# Met Jonas in March

Failed the driving test twice in Linz
= Twice failed the driving test in Linz
= In Linz she failed the driving tests twice
= Failing the driving test twice in Linz
= failed her driving test in linz twice, last year
= Did not pass her driving exam in Linz, two times
# Passed the driving test in Linz at once
# Failed the swimming test in Graz
# Failed the driving test twice in Wels
# Never failed the driving test twice in Linz
# Ruth failed the driving test

Votes for the Green Lantern party
= Voting for the Green Lantern party
= The Green Lantern party gets her vote
= Voted for the party Green Lantern
= votes for the green lantern party in every election
= Supports the Green Lantern party at elections
# Votes for the Blue Harbour party
# Does not vote for the Green Lantern party
# Went to a party with a green lantern
# Votes for her cousin in the council
# Counts votes for the town

Sleeps badly since the accident in Ghent
= Since the accident in Ghent sleeps badly
= Has slept badly since the Ghent accident
= Sleeping badly after the accident in Ghent
= sleeps badly ever since an accident in ghent
= The crash in Ghent took away her sleep
# Sleeps well since the holiday in Ghent
# Sleeps badly since the storm in Bruges
# Does not sleep badly since the accident in Ghent
# Saw an accident in Antwerp
# Sleeps in a hostel in Ghent

Wants to leave her job at the city archive
= Wants to leave the job at the city archive
= Her job at the city archive is what she wants to leave
= Wanted to leave her job in the city archive
= she wants to leave her job at the city archive by spring
= Plans to quit working for the archive of the city
# Wants to leave her job at the harbour office
# Wants a job at the city theatre
# Doesn't want to leave her job at the city archive
# Tomas wants to leave the choir
# Wants to visit the archive of the county

Weighs 82 kilos and wants to lose 10
= Weighs 82 kilos, wants to lose 10
= Wants to lose 10 kilos and weighs 82
= Weighing 82 kilos, he wants to lose 10 of them
= weighs 82 kilos now and wants to lose 10 by summer
= 82 kilos; would like to be 10 lighter
# Weighs 75 kilos and wants to lose 10
# Weighs 82 kilos and wants to gain 5
# Does not weigh 82 kilos and wants to lose 10
# Lifts 82 kilos with 10 repetitions
# Weighs the parcels, 40 kilos a day

Has a tattoo of a heron on the left shoulder
= On the left shoulder has a heron tattoo
= Has the tattoo of a heron on his left shoulder
= A heron tattoo on her left shoulder
= has a heron tattooed on the left shoulder, says Mei
= The bird on his left shoulder is inked, a heron
# Has a tattoo of an anchor on the right shoulder
# Has a scar on the left knee
# Has no tattoo of a heron on the left shoulder
# Photographed a heron on the left bank
# Has a tattoo of a fox on the arm

Rents a room to two students from Kochi
= Two students from Kochi rent a room from him
= Rents rooms to two students from Kochi
= Renting a room to 2 students from Kochi
= rents a room in the attic to two students from kochi
= Has lodgers: two young people from Kochi who study
# Rents a room to two students from Mysuru
# Rents a room to three students from Kochi
# Rents a boat to two divers from Kochi
# Doesn't rent a room to two students from Kochi
# Teaches two students about Kochi

Borrowed Nora's kayak and never gave it back
= Never gave back the kayak that he borrowed from Nora
= Borrowed the kayak of Nora and never gave it back
= Nora's kayak: borrowed, never given back
= borrowed nora's kayak and never gave it back to her
= Still has the kayak that belongs to Nora
# Borrowed Clara's kayak and never gave it back
# Borrowed Nora's kayak and gave it back
# Borrowed Nora's ladder and never painted it
# Never paddled a kayak
# Sold Nora a kayak

Was adopted when he was three years old
= Adopted when he was three years old
= At three years old, he was adopted
= Was adopted at 3 years old
= he was adopted when three years old, in winter
= Has had foster parents who adopted him at the age of three
# Was adopted when he was seven years old
# Was not adopted when he was three years old
# Adopted a dog that is three months old
# Moved house when he was five years old
# His sister was born when he was three

Trains for the Danube half marathon
= Training for the Danube half marathon
= For the half marathon at the Danube she trains
= Trained for the Danube's half marathon
= trains for the danube half marathon on every sunday
= Prepares to run the half marathon along the Danube
# Trains for the Rhine half marathon
# Trains for the triathlon of Lisbon
# Doesn't train for the Danube half marathon
# Watched the half marathon on television
# Takes the train along the Danube

Speaks Swahili with her grandmother
= With her grandmother speaks Swahili
= Speaking Swahili with the grandmother
= Her grandmother and she speak Swahili
= speaks swahili with her grandmother on the phone
= Talks to her granny in Swahili
# Speaks Greek with her grandmother
# Speaks Swahili with her dentist
# Does not speak Swahili with her grandmother
# Her grandmother taught her to knit
# Learns Swahili from a book

Dentist appointment in Leuven on Friday at 14:30
= On Friday at 14:30 dentist appointment in Leuven
= The dentist's appointment in Leuven is Friday, 14:30
= Dentist appointments in Leuven: Friday 14:30
= has a dentist appointment on friday at 14:30 in leuven
= Friday 14:30, teeth, Leuven
# Dentist appointment in Leuven on Friday at 9:15
# Dentist appointment in Leuven on Tuesday at 14:30
# Dentist appointment in Mechelen on Friday at 14:30
# No dentist appointment in Leuven on Friday at 14:30
# Haircut in Leuven on Friday

Bakes rye bread on Sundays for the neighbours
= On Sundays bakes rye bread for the neighbours
= Baking rye bread for her neighbours each Sunday
= The neighbours get rye bread that he bakes on Sundays
= bakes rye breads on sunday for a neighbour
= Every Sunday the people next door get rye bread from his oven
# Bakes rye bread on Saturdays for the neighbours
# Bakes lemon cake on Sundays for the school
# Never bakes rye bread on Sundays for the neighbours
# Buys rye bread from the neighbours
# Sells bread on Sundays at the fair

Inherited a vineyard near Setubal from an uncle
= From an uncle inherited a vineyard near Setubal
= Inheriting a vineyard near Setubal from his uncle
= The vineyard near Setubal was inherited from an uncle
= inherited the vineyards near setubal from uncle Rui
= His late uncle left him a vineyard close to Setubal
# Inherited a vineyard near Evora from an uncle
# Inherited a clock from an aunt
# Did not inherit a vineyard near Setubal from an uncle
# Works at a vineyard in Setubal
# Bought a vineyard near Braga from a friend

Smokes cigars with Omar after dinner
= After dinner smokes cigars with Omar
= Smoking a cigar with Omar after dinner
= Omar and he smoke cigars after dinner
= smoked cigars after dinner with omar, on the balcony
= Enjoys a cigar with Omar once they have eaten
# Smokes cigars with Arne after dinner
# Smokes a pipe with Omar before breakfast
# Stopped smoking cigars with Omar after dinner
# Plays cards with Omar after dinner
# Gave Omar a box of cigars

Owns a cabin by the lake in Kuopio
= The cabin by the lake in Kuopio is owned by her
= Owns the cabin by a lake in Kuopio
= In Kuopio she owns a lake cabin
= owning a cabin by the lake, in kuopio, since 2019
= Has a small wooden house at the lake of Kuopio
# Owns a cabin by the lake in Espoo
# Owns a sauna by the river in Kuopio
# Doesn't own a cabin by the lake in Kuopio
# Rented a canoe by the lake
# Lena owns a shop in Kuopio

Calls her mother every Sunday at noon
= Every Sunday at noon calls her mother
= Calling her mother on every Sunday noon
= Her mother is called each Sunday at noon
= calls the mother at noon every sunday without fail
= Phones mum on Sundays at twelve
# Calls her mother every Friday at noon
# Calls her brother every Sunday at breakfast
# Never calls her mother every Sunday at noon
# Her mother calls the plumber every winter
# Goes to church every Sunday

Dropped out of law school in Utrecht
= In Utrecht dropped out of law school
= Dropped out of the law school in Utrecht
= Dropping out of law school at Utrecht
= dropped out of law school in utrecht after two terms
= Left the Utrecht faculty of law without a degree
# Dropped out of law school in Leiden
# Dropped out of art school in Breda
# Did not drop out of law school in Utrecht
# Teaches at a law school in Utrecht
# Dropped a bag in front of the school

Hides the birthday present in the attic
= The birthday present is hidden in the attic
= In the attic hides a birthday present
= Hiding the birthday presents in the attic
= hides the present for the birthday in her attic
= The gift for the party is upstairs under the roof
# Hides the birthday present in the garage
# Hides the cake in the cellar
# Doesn't hide the birthday present in the attic
# Found an old present in the cupboard
# Celebrated the birthday in the garden

Suspects that Arne reads the team's mail
= Arne reads the team's mail, she suspects
= Suspects Arne of reading the mail of the team
= Suspecting that Arne reads the team mail
= suspects arne reads mail of the whole team
= Thinks that the mailbox of the team is read by Arne
# Suspects that Lena reads the team's mail
# Suspects that Arne reads comics at work
# Does not suspect that Arne reads the team's mail
# Arne writes mails to the team
# Reads the team's report

Sold the red bicycle to Wilma for 80 euros
= Sold Wilma the red bicycle for 80 euros
= For 80 euros the red bicycle was sold to Wilma
= The red bicycle: sold to Wilma, 80 euros
= sold a red bicycle for 80 euros to wilma in may
= Wilma paid 80 euros for his red bike
# Sold the red bicycle to Tomas for 80 euros
# Sold the red bicycle to Wilma for 120 euros
# Sold the blue scooter to Wilma for a cake
# Did not sell the red bicycle to Wilma for 80 euros
# Repaired the red bicycle for 80 euros

Studies marine biology at night school
= At night school studies marine biology
= Studying marine biology at the night school
= Marine biology studies at night school
= studied marine biology in night school on Tuesdays
= Takes evening classes in the biology of the sea
# Studies medieval history at night school
# Studies marine maps at the museum
# Doesn't study marine biology at night school
# Her cousin studies law at day school
# Works at night at the marine station

Feeds the stray cats behind the station
= The stray cats behind the station are fed by her
= Behind the station feeds stray cats
= Feeding a stray cat behind the station
= feeds stray cats behind the old station in winter
= Brings food to the homeless cats at the back of the station
# Feeds the pigeons behind the church
# Feeds the stray dogs at the harbour
# Never feeds the stray cats behind the station
# Parks behind the station
# Saw a stray cat behind the bakery

Has a lawsuit against the roofing company
= Has a lawsuit against a roofing company
= Against the roofing company she has a lawsuit
= The lawsuit against the roofing company is hers
= has lawsuits against that roofing company since june
= Is suing the firm that did her roof
# Has a lawsuit against the phone company
# Has a contract with the roofing supplier
# Has no lawsuit against the roofing company
# Works for a roofing company
# Won a bet against the neighbour

Moved the savings to the Lantern bank in 2025
= In 2025 moved savings to the Lantern bank
= Moving the savings to Lantern bank in 2025
= The savings were moved to the Lantern bank in 2025
= moved all savings to lantern bank during 2025
= Since 2025 her money sits at the Lantern bank
# Moved the savings to the Harbour bank in 2025
# Moved the savings to the Lantern bank in 2021
# Moved the sofa to the Lantern hotel
# Did not move the savings to the Lantern bank in 2025
# Opened a shop beside the Lantern bank

Prefers to be called Kit by close friends
= Close friends call him Kit, which he prefers
= By close friends prefers to be called Kit
= Prefers that close friends call him Kit
= prefers being called kit by his close friends
= To the people who know him well he is Kit
# Prefers to be called Max by close friends
# Prefers to be called at work by letter
# Does not prefer to be called Kit by close friends
# Calls close friends on Kit's phone
# Prefers tea with close friends

Flies to Oslo on 12 November with Ines
= On 12 November flies to Oslo with Ines
= Flying to Oslo with Ines on 12 November
= With Ines to Oslo: flies on 12 November
= flies with ines to oslo on 12 november, at night
= Trip to Oslo with Ines, leaving 12 November
# Flies to Oslo on 19 November with Ines
# Flies to Bergen on 12 November with Ines
# Flies to Oslo on 12 December with Ines
# Does not fly to Oslo on 12 November with Ines
# Flies to Oslo on 12 November with Paul
`);
