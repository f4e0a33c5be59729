"""Common first names, by which a column of names is known whatever it is called."""

_FIRST_NAMES = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony
mark steven paul andrew george kenneth kevin brian edward ronald timothy jason jeffrey ryan jacob gary eric
stephen larry frank scott alan albert bill fred henry douglas peter hans karl klaus jürgen wolfgang stefan
andreas martin jan lukas felix max jean pierre michel philippe alain nicolas louis luc antoine josé juan
antonio manuel francisco carlos luis javier miguel pedro pablo mohammed ahmed ali omar mary patricia
jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley emily
donna michelle carol amanda melissa deborah stephanie rebecca laura helen anna alice emma julia marie maria
monika ursula sabine petra claudia renate heike katharina sophie isabelle nathalie catherine françoise
camille carmen ana isabel dolores pilar lucía elena rosa fatima aisha wei mei yuki priya raj ann benjamin
samuel alexander noah liam oliver lucas ethan jack harry oscar leo arthur simon adam nathan tyler brandon
justin jose raymond gregory patrick dennis jerry walter harold roger keith lawrence terry sean christian
austin jesse joe bryan billy bruce jordan dylan ralph roy eugene wayne kimberly dorothy sharon cynthia
kathleen amy angela shirley brenda pamela nicole samantha katherine christine debra rachel carolyn janet
heather diane olivia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah
jacqueline martha gloria teresa sara madison grace denise jean judy chloe zoe charlotte amelia sophia mia
ella lily dieter günter horst uwe bernd jens kai sven tobias sebastian florian jonas leon paul finn lena lea
johanna charlotte greta nora paula ingrid birgit gisela brigitte françois jacques bernard andré christophe
thierry olivier julien hugo théo léa manon inès jeanne sylvie martine valérie sandrine jorge rafael fernando
sergio alejandro diego álvaro raúl josefa mercedes lourdes beatriz raquel silvia ivan olga pavel marek
giulia matteo marco paolo chiara hassan ibrahim yusuf mustafa mehmet elif ayşe khadija zahra chen li wang
hiroshi kenji minh thi piotr krzysztof andrzej tomasz paweł michał marcin jakub łukasz mateusz wojciech
adam grzegorz katarzyna małgorzata agnieszka ewa zofia magdalena joanna aleksandra łucja barbara krystyna
jadwiga stanisław zbigniew giuseppe giovanni luca alessandro francesco francesca giorgia alessia sofia joão
tiago rui inês catarina beatriz rita jan pieter willem hendrik johan sanne daan lotte anouk jiří petr tomáš
jana hana lars erik anders björn karin astrid freya ingeborg nils mikael dmitri sergei natalia tatiana irina
oksana olena andriy istván lászló katalin zsófia ioana mihai georgi ivana milan dragan
eva åsa siv gunilla märta håkan linnéa gösta birgitta mats ulla lennart kerstin bengt barbro kjell ola
östen stig göran åke gunnar olof per magnus fredrik henrik kristina margareta elisabeth susanne annika malin
ole knut odd arne bjørn øyvind terje geir trond marit anne inger kari liv randi solveig silje ida mads
søren rasmus emil jens niels bodil freja sofie mette kirsten lone hanne pia morten jørgen kaj juhani
matti pekka timo kari jukka antti mikko ville tuula anneli helena päivi aino sari hanna riitta eeva
"""
FIRST_NAMES = frozenset(_FIRST_NAMES.split())
